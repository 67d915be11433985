import type { FrozenCall } from '../call/call.ts'
import type { RiskReport } from '../risk/report.ts'
import type { Circumstances } from './circumstances.ts'
import type { Policy } from './compile.ts'
import { evaluateCall } from './evaluate-call.ts'
import type { Grant } from './grant.ts'
import { supervisionRank } from './supervision.ts'
import type { Verdict } from './verdict.ts'

/**
 * Evaluates a call, and looks for grants only where one could speak: what runs unasked without them needs none.
 * Gives the circumstances that the verdict rests on, so that replay is exact.
 */
export async function weighGrants(
  call: FrozenCall,
  risk: RiskReport,
  policy: Policy,
  ungranted: Circumstances,
  living: () => Promise<readonly Grant[]>,
): Promise<{ readonly verdict: Verdict; readonly circumstances: Circumstances }> {
  const verdict = evaluateCall(call, risk, policy, ungranted)
  if (supervisionRank(verdict.supervision) < supervisionRank('confirm')) return { verdict, circumstances: ungranted }
  const grants = await living()
  if (grants.length === 0) return { verdict, circumstances: ungranted }
  const circumstances = { ...ungranted, grants }
  return { verdict: evaluateCall(call, risk, policy, circumstances), circumstances }
}
