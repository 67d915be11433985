import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { CountersignError, safeText } from '@countersign/core'
import { type Home, openHome } from '@countersign/node'
import type { Io } from '../terminal/io.ts'

/** The home for commands that only look: a mistyped `--home` is said, not made. */
export function existingHome(io: Io): Home {
  const given = io.home === undefined ? undefined : resolve(io.cwd, io.home)
  if (given !== undefined && !existsSync(given))
    throw new CountersignError('CS_HOME', `there is no folder \`${safeText(given)}\`; check the spelling of \`--home\``)
  return openHome(given)
}
