import { type Desk, type RulesAnswer, rulesMessage } from '@countersign/core'
import { systemClock } from '../system/clock.ts'
import type { LocalApprover } from './approver-key.ts'

/** Signs a change of the rules as it was shown, with the local key, and applies it. */
export async function changeRules(
  desk: Desk,
  { proposal, code, reason }: RulesAnswer,
  { approver: { approver, signer }, surface }: { readonly approver: LocalApprover; readonly surface: string },
): Promise<void> {
  const { change, rules, act } = proposal
  const claim = {
    ...change,
    code: act.typed ? (code ?? null) : null,
    reason: reason?.trim() ? reason.trim() : null,
    approver: approver.id,
    surface,
    at: systemClock.now(),
  }
  await desk.rules().apply({ ...claim, signature: signer.sign(rulesMessage(claim)) }, rules)
}
