import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** The test command has just built everything: then what people run is tested, and it starts in half the time. */
const isBuilt = process.env['COUNTERSIGN_BUILT'] === '1'

/** What Node is given to run the command: the built one, or its sources. */
export const COMMAND: readonly string[] = isBuilt
  ? ['--no-warnings', at('packages/cli/bin/countersign.js')]
  : ['--conditions=countersign-source', '--no-warnings', at('packages/cli/src/entry.ts')]

/** Code is compiled once, not by every process; and never into the account's own cache. */
export const COMMAND_ENV = { ...process.env, NODE_COMPILE_CACHE: at('node_modules/.cache/countersign-cli') }

/** The command as words of a shell. */
export const COMMAND_LINE = [process.execPath, ...COMMAND].map((word) => `'${word}'`).join(' ')
