import { CountersignError } from '../../errors.ts'
import { type RiskLevel, riskRank } from '../../risk/report/level.ts'
import type { Conditions, PolicySet } from '../model/rule.ts'
import type { Verdict } from '../model/verdict.ts'

const known = new WeakMap<PolicySet, boolean>()

/** Whether any rule asks for the time of day. Where none does, and no grant runs out, a verdict stays as it is. */
export function dependsOnTime(policy: PolicySet): boolean {
  const found =
    known.get(policy) ?? policy.rules.some(({ when, unless }) => asks(when) || (unless !== null && asks(unless)))
  known.set(policy, found)
  return found
}

function asks({ hours, any = [], all = [], not }: Conditions): boolean {
  return hours !== undefined || any.some(asks) || all.some(asks) || (not !== undefined && asks(not))
}

/** A verdict for a caller who waits at most `timeoutMs`. INVARIANT: no caller waits longer than policy says. */
export function withCallerTimeout(verdict: Verdict, timeoutMs: unknown): Verdict {
  if (timeoutMs === undefined) return verdict
  if (typeof timeoutMs !== 'number' || !Number.isSafeInteger(timeoutMs) || timeoutMs < 1) {
    throw new CountersignError(
      'CS_CALL_SHAPE',
      '`timeoutMs` must be a positive whole number of milliseconds; leave it out for the policy’s own',
    )
  }
  return timeoutMs < verdict.timeoutMs ? { ...verdict, timeoutMs } : verdict
}

/** A verdict that asks for a passkey where policy demands one at this risk. INVARIANT: L9, it only ever adds. */
export function withPasskey(verdict: Verdict, { passkeyFrom }: PolicySet, level: RiskLevel): Verdict {
  if (passkeyFrom === undefined || riskRank(level) < riskRank(passkeyFrom)) return verdict
  return {
    ...verdict,
    passkey: true,
    reasons: [...verdict.reasons, `from risk ${passkeyFrom} on only a passkey approves`],
  }
}
