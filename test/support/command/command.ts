import { fileURLToPath } from 'node:url'

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url))

/** The test command builds everything first: then tests run the built command, which starts in half the time. */
const isBuilt = process.env['COUNTERSIGN_BUILT'] === '1'

/** The Node arguments that run the command: the built one, or its sources. */
export const COMMAND: readonly string[] = isBuilt
  ? ['--no-warnings', at('packages/cli/bin/countersign.js')]
  : ['--conditions=countersign-source', '--no-warnings', at('packages/cli/src/entry.ts')]

/** A compile cache shared by all processes, separate from the account's own. */
export const COMMAND_ENV = { ...process.env, NODE_COMPILE_CACHE: at('node_modules/.cache/countersign-cli') }

/** The command for a shell. */
export const COMMAND_LINE = [process.execPath, ...COMMAND].map((word) => `'${word}'`).join(' ')
