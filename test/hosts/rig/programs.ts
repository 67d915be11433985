import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { DRIVEN_HOSTS, type DrivenHost } from '../../../packages/hosts/src/canary/drivers/host-driver.ts'

export const HOST_NAMES = DRIVEN_HOSTS
export type HostName = DrivenHost

/** A coding agent that is installed from npm. */
export interface Program {
  readonly title: string
  readonly package: string
  /** Exact versions, newest first. */
  readonly versions: readonly string[]
  /** What is started: a native program, or a script for Node. */
  readonly binary: string
  /** A file of the platform package, if `binary` does not belong to it. */
  readonly needs?: string
}

const ROOT = join(import.meta.dirname, '../../..')

/** The install folder of all programs. */
export const HOSTS_FOLDER = process.env['COUNTERSIGN_HOSTS'] ?? join(ROOT, '.hosts')

export const PROGRAMS: Readonly<Record<HostName, Program>> = parse(
  readFileSync(join(import.meta.dirname, '../programs.yaml'), 'utf8'),
)

/** The install folder of one version. */
export function installFolder(host: HostName, version: string): string {
  return join(HOSTS_FOLDER, host, version)
}

/** The command line of an installed version, or undefined if it or its platform package is missing. */
export function installedCommand(host: HostName, version: string): readonly [string, ...string[]] | undefined {
  const { binary, needs = binary } = PROGRAMS[host]
  const inFolder = (path: string) =>
    join(installFolder(host, version), path.replace('{platform}', `${process.platform}-${process.arch}`))
  const path = inFolder(binary)
  if (!existsSync(path) || !existsSync(inFolder(needs))) return undefined
  return path.endsWith('.js') ? [process.execPath, path] : [path]
}
