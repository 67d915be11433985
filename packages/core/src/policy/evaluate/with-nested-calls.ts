import type { FrozenCall } from '../../call/call.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import type { Circumstances } from '../model/circumstances.ts'
import { SUPERVISIONS, supervisionRank } from '../model/supervision.ts'
import type { Verdict } from '../model/verdict.ts'
import { evaluatePolicy } from './evaluate.ts'
import { type InnerDemand, innerDemands } from './nested-calls.ts'

/**
 * Decides how closely one call is supervised, with the calls that it makes for its caller: whatever a rule asks for a tool
 * holds for that tool inside a batch or behind `invoke_tool` as well. INVARIANT: L2 L9, what is inside only raises.
 */
export function evaluateCall(
  call: FrozenCall,
  risk: RiskReport,
  policy: Policy,
  circumstances: Circumstances,
): Verdict {
  const verdict = evaluatePolicy(call, risk, policy, circumstances)
  if (verdict.supervision === 'deny') return verdict
  return innerDemands(call, risk, policy, circumstances).reduce(raised, verdict)
}

function raised(verdict: Verdict, { tool, judgement }: InnerDemand): Verdict {
  if (judgement.rank <= supervisionRank(verdict.supervision)) return verdict
  const { decider, others } = judgement
  const reason = tool === null ? decider.reason : `it calls \`${tool}\`, and ${decider.reason}`
  const voices = [decider, ...others]
  const timeouts = voices.flatMap((voice) => voice.timeoutMs ?? [])
  return {
    ...verdict,
    supervision: SUPERVISIONS[judgement.rank] ?? 'deny',
    rule: decider.rule,
    condition: decider.condition,
    contributors: [...voices.map((voice) => voice.rule), ...verdict.contributors],
    reasons: [reason, ...verdict.reasons],
    timeoutMs: Math.min(verdict.timeoutMs, ...timeouts),
    grant: null,
  }
}
