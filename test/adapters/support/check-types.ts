import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const FLAGS = [
  '--noEmit',
  '--strict',
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--skipLibCheck',
  '--allowImportingTsExtensions',
  '--ignoreConfig',
  // Some SDKs bring older types of Node, with which our tests' support code does not compile.
  ...['--target', 'es2024', '--types', 'node', '--typeRoots', join(MODULES, '@types')],
]
const RESOLUTIONS = {
  nodenext: ['--module', 'nodenext'],
  bundler: ['--module', 'esnext', '--moduleResolution', 'bundler'],
} as const

/** How the types of a package are found. */
export type Resolution = keyof typeof RESOLUTIONS

/** What the compiler reports about files as people write them, against our compiled types and the SDK's own. */
export function typeErrors(folder: string, files: readonly string[], resolution: Resolution): Promise<string> {
  return compile(folder, files, [...RESOLUTIONS[resolution], '--lib', 'es2024,dom,dom.iterable'])
}

/** What it reports about the tests of an SDK. */
export function testErrors(folder: string): Promise<string> {
  // The test of the example runs the command from its sources, which have settings of their own.
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && file !== 'example.test.ts')
  return compile(folder, files, [
    ...RESOLUTIONS.nodenext,
    '--lib',
    'es2024',
    '--customConditions',
    'countersign-source',
  ])
}

async function compile(folder: string, files: readonly string[], flags: readonly string[]): Promise<string> {
  const paths = files.map((file) => join(folder, file))
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [join(MODULES, 'typescript/bin/tsc'), ...FLAGS, ...flags, ...paths],
      {
        cwd: folder,
      },
    )
    return stdout
  } catch (error) {
    return (error as { readonly stdout?: string }).stdout || String(error)
  }
}
