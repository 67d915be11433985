import { CountersignError, safeText } from '@countersign/core'
import type { Io } from '../terminal/io.ts'

/** Set for every command that `exec` runs: the id of the call it runs under. */
export const INSIDE = 'COUNTERSIGN_INSIDE'

/**
 * Refuses to decide from within a gated command. INVARIANT: L8, whoever asks can never approve.
 * A courtesy, not a boundary: a hostile command can unset the variable, and at T1 could use the key in other ways. The
 * protection is the built-in rule `self-approval` and, from T2 on, that the key belongs to another user.
 */
export function refuseInside(io: Io): void {
  const call = io.env[INSIDE]
  if (call === undefined || call === '') return
  throw new CountersignError(
    'CS_DENIED',
    `running inside the gated call \`${safeText(call.slice(0, 64))}\`, which cannot approve itself; use another terminal`,
  )
}
