import type { FrozenCall } from '../../call/call.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import type { Circumstances } from '../model/circumstances.ts'
import type { Grant } from '../model/grant.ts'
import { supervisionRank } from '../model/supervision.ts'
import type { Verdict } from '../model/verdict.ts'
import { evaluateCall } from './evaluate.ts'

/** A verdict, and what it rests on. */
interface Weighed {
  readonly verdict: Verdict
  readonly circumstances: Circumstances
}

/**
 * Evaluates a call, and looks for grants only where one could matter: for a call that
 * would be held, and for a sandbox that a grant may widen.
 * Gives the circumstances that the verdict rests on, so that replay is exact.
 */
export function evaluateWithGrants(
  call: FrozenCall,
  risk: RiskReport,
  policy: Policy,
  ungranted: Circumstances,
  living: () => Promise<readonly Grant[]>,
): MaybePromise<Weighed> {
  const verdict = evaluateCall(call, risk, policy, ungranted)
  const weighed = { verdict, circumstances: ungranted }
  const isUnasked = supervisionRank(verdict.supervision) < supervisionRank('confirm')
  if (isUnasked && verdict.contain == null) return weighed
  return living().then((grants) => {
    if (grants.length === 0) return weighed
    const circumstances = { ...ungranted, grants }
    return { verdict: evaluateCall(call, risk, policy, circumstances), circumstances }
  })
}
