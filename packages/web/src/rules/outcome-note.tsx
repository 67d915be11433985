import { SafeTextView } from '@countersign/react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useRuleOutcome } from './apply-rule.ts'

/** Tells what became of the rule that came with the last approval. */
export function RuleOutcomeNote(): ReactNode {
  const outcome = useRuleOutcome()
  if (outcome === null) return null
  return outcome.isAdded ? (
    <p className="list-note" role="status">
      Rule added to your policy: <SafeTextView text={outcome.words} />. <Link href="/tools">Undo it in Tools</Link>
    </p>
  ) : (
    <p className="list-note cs-bad" role="alert">
      Approved, but the rule was not added: <SafeTextView text={outcome.words} />
    </p>
  )
}
