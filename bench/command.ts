import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')

/** Whether the command is built; then the built one is measured. */
export const IS_BUILT = existsSync(join(ROOT, 'packages/cli/dist'))

/** The Node arguments that run the command: the built one if there is one, else its sources. */
export const COMMAND = IS_BUILT
  ? { flags: [], file: join(ROOT, 'packages/cli/bin/countersign.js') }
  : { flags: ['--conditions=countersign-source'], file: join(ROOT, 'packages/cli/src/entry.ts') }
