import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const FOLDER = join(import.meta.dirname, '../sdks')

/** The SDKs with tests: one folder each, with its exact versions. */
export const SDKS: readonly string[] = readdirSync(FOLDER)
  .filter((sdk) => readdirSync(join(FOLDER, sdk)).some((file) => file.endsWith('.test.ts')))
  .sort()

export function sdkFolder(sdk: string): string {
  return join(FOLDER, sdk)
}

/** npm writes this file when everything is there. */
export function isInstalled(sdk: string): boolean {
  return existsSync(join(sdkFolder(sdk), 'node_modules/.package-lock.json'))
}
