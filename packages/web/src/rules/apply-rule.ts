import { type RulesAnswer, signRules } from '@countersign/react'
import { useSyncExternalStore } from 'react'
import { service } from '../api/service.ts'
import { enrolledKey, source } from '../approvals/context.ts'
import { signWithPasskey } from '../signing/passkey.ts'

/** Signs a change of the policy with this browser's key or a passkey, and applies it. Rejects with the reason if it fails. */
export async function applyRule(answer: RulesAnswer): Promise<number> {
  const at = Date.now() + source.current().aheadMs
  const signed = await signRules(answer, { key: enrolledKey, passkey: signWithPasskey, at })
  const { change } = await service.applyRules(signed, answer.proposal.rules)
  return change
}

/** What became of the last rule that came with an approval: its card is gone by then. */
export interface RuleOutcome {
  readonly isAdded: boolean
  readonly words: string
}

let last: RuleOutcome | null = null
const listeners = new Set<() => void>()

function report(outcome: RuleOutcome | null): void {
  last = outcome
  for (const listener of listeners) listener()
}

/** Adds a rule after its call was approved. The approval stands even if this fails. */
export async function addRule(answer: RulesAnswer): Promise<void> {
  report(null)
  try {
    await applyRule(answer)
    report({ isAdded: true, words: answer.proposal.change.what })
  } catch (error) {
    report({ isAdded: false, words: error instanceof Error ? error.message : String(error) })
  }
}

export function useRuleOutcome(): RuleOutcome | null {
  return useSyncExternalStore(subscribe, () => last)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
