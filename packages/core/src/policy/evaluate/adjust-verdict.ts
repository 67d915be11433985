import { CountersignError } from '../../errors.ts'
import { type RiskLevel, riskRank } from '../../risk/report/level.ts'
import type { Conditions, PolicySet } from '../model/rule.ts'
import type { Verdict } from '../model/verdict.ts'

const known = new WeakMap<PolicySet, boolean>()

/** Whether any rule depends on the time of day. If none does and there are no grants, a verdict stays valid. */
export function dependsOnTime(policy: PolicySet): boolean {
  const found =
    known.get(policy) ?? policy.rules.some(({ when, unless }) => asks(when) || (unless !== null && asks(unless)))
  known.set(policy, found)
  return found
}

function asks({ hours, any = [], all = [], not }: Conditions): boolean {
  return hours !== undefined || any.some(asks) || all.some(asks) || (not !== undefined && asks(not))
}

/** Shortens the deadline for a caller that waits at most `timeoutMs`. INVARIANT: it never extends the policy's deadline. */
export function withCallerTimeout(verdict: Verdict, timeoutMs: unknown): Verdict {
  if (timeoutMs === undefined) return verdict
  if (typeof timeoutMs !== 'number' || !Number.isSafeInteger(timeoutMs) || timeoutMs < 1) {
    throw new CountersignError(
      'CS_CALL_SHAPE',
      '`timeoutMs` must be a positive whole number of milliseconds; omit it to use the policy’s timeout',
    )
  }
  return timeoutMs < verdict.timeoutMs ? { ...verdict, timeoutMs } : verdict
}

/** Adds the passkey requirement if the policy has one at this risk. INVARIANT: L9, it only adds. */
export function withPasskey(verdict: Verdict, { passkeyFrom }: PolicySet, level: RiskLevel): Verdict {
  if (passkeyFrom === undefined || riskRank(level) < riskRank(passkeyFrom)) return verdict
  return {
    ...verdict,
    passkey: true,
    reasons: [...verdict.reasons, `from ${passkeyFrom} risk up, only a passkey can approve`],
  }
}
