import { type Desk, type RulesProposal, rulesMessage } from '@countersign/core'
import { systemClock } from '../system/clock.ts'
import type { LocalApprover } from './approver-key.ts'

/** What a person said to a change of the rules. The code and a reason only where the change asks for them. */
export interface RulesAnswer {
  readonly proposal: RulesProposal
  readonly code?: string
  readonly reason?: string
}

/**
 * Signs a change of the rules as it was shown, with the local key, and applies it.
 *
 * ```ts
 * await changeRules(desk, { proposal }, { approver, surface: 'guide' })
 * ```
 */
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
