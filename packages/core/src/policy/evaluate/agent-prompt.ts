import { riskRank } from '../../risk/report/level.ts'
import type { Policy } from '../compile/compiled-policy.ts'
import type { Case } from '../match/call-unit.ts'
import type { Verdict } from '../model/verdict.ts'

/** The rule that a pause consists of. */
const PAUSE_ID = 'pause'

/**
 * The verdict on a call that the coding agent's own prompt asks about. INVARIANT: L8 L11, nobody signs what is answered there: the
 * call counts as unasked, and what must run in the sandbox still does. Whatever needs more than a yes goes to an approver.
 */
export function withAgentPrompt(verdict: Verdict, { risk, circumstances }: Case, { set }: Policy): Verdict {
  if (circumstances.agentPrompt !== true || verdict.supervision !== 'confirm' || verdict.limit !== null) return verdict
  const { agentPrompts = 'medium', passkeyFrom } = set
  if (agentPrompts === 'none' || riskRank(risk.level) > riskRank(agentPrompts)) return verdict
  if (passkeyFrom !== undefined && riskRank(risk.level) >= riskRank(passkeyFrom)) return verdict
  if (verdict.contributors.some(({ id }) => id === PAUSE_ID)) return verdict
  return { ...verdict, supervision: 'notify' }
}
