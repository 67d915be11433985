import { CountersignError } from '../../errors.ts'
import type { Verdict } from '../model/verdict.ts'

/** A verdict for a caller who waits at most `timeoutMs`. INVARIANT: no caller waits longer than policy says. */
export function withPatience(verdict: Verdict, timeoutMs: unknown): Verdict {
  if (timeoutMs === undefined) return verdict
  if (typeof timeoutMs !== 'number' || !Number.isSafeInteger(timeoutMs) || timeoutMs < 1) {
    throw new CountersignError(
      'CS_CALL_SHAPE',
      '`timeoutMs` must be a positive whole number of milliseconds; leave it out for the policy’s own',
    )
  }
  return timeoutMs < verdict.timeoutMs ? { ...verdict, timeoutMs } : verdict
}
