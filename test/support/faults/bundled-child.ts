import { execFile } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { build } from 'rolldown'
import { afterAll, beforeAll } from 'vitest'
import { ABSENT_DRIVERS, driverModules } from '../../../scripts/bundle/driver-modules.ts'
import { COMMAND_ENV } from '../command/command.ts'

/** A program beside this file as one file, which starts in a third of the time of the thousand modules it is made of. */
export function bundledChild(name: string): string {
  const bundle = join(realpathSync(mkdtempSync(join(tmpdir(), 'countersign-kill-'))), `${name}.mjs`)
  beforeAll(async () => {
    const resolve = {
      conditionNames: ['countersign-source', 'node', 'import', 'default'],
      alias: driverModules(join(import.meta.dirname, '../../..')),
    }
    await build({
      input: join(import.meta.dirname, `${name}.ts`),
      platform: 'node',
      resolve,
      external: ABSENT_DRIVERS,
      output: { file: bundle, codeSplitting: false },
    })
  })
  afterAll(() => rmSync(dirname(bundle), { recursive: true, force: true }))
  return bundle
}

/** Runs it to its end: what it printed, or how it died. */
export function runChild(bundle: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [bundle, ...args], { timeout: 60_000, env: COMMAND_ENV }, (error, stdout, stderr) => {
      resolve(error === null ? stdout.trim() : `${error.signal ?? error.code} ${stderr}`)
    })
  })
}
