import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { COMMAND_ENV } from './command.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Runs a module's text in its own process, on the sources; returns its output. */
export async function runNode(
  source: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=countersign-source', '--no-warnings', '--input-type=module', '--eval', source, '--', ...args],
    { cwd: root, env: { ...COMMAND_ENV, ...env } },
  )
  return stdout
}
