import { type PermissionQuestion, safeLines } from '@countersign/core'
import { type ReactNode, useMemo } from 'react'
import { CodeBlock } from '../text/code-block.tsx'
import { EndOfPreview } from '../text/reading-progress.tsx'
import { SafeTextView } from '../text/safe-text.tsx'

/** The headline of a question. SECURITY: A15 the agent's words are quoted and marked as its own. */
export function QuestionTitle({ question: { asks, announces } }: { readonly question: PermissionQuestion }): ReactNode {
  const words = asks ?? announces
  if (words === null) return 'The agent asks whether to continue'
  return (
    <>
      {asks === null ? 'The agent wants to continue' : 'The agent asks'}:{' '}
      <q>
        <SafeTextView text={words} />
      </q>
    </>
  )
}

/** What the agent said around its question, and what the gate read in it. */
export function QuestionView({ question }: { readonly question: PermissionQuestion }): ReactNode {
  const { asks, announces, said, facts } = question
  const lines = useMemo(() => safeLines(said), [said])
  return (
    <div className="cs-preview">
      <p className="cs-dim">
        Proceed lets the agent continue; each of its calls is still checked. Cancel tells it not to.
      </p>
      {said.trim() !== (asks ?? announces) && <CodeBlock lines={lines} label="In full, from the agent (unverified)" />}
      {facts.length > 0 && (
        <dl className="cs-fields">
          {facts.map(([name, value]) => (
            <div key={name} className="cs-field">
              <dt>
                <SafeTextView text={name} />
              </dt>
              <dd>
                <SafeTextView text={value} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <EndOfPreview />
    </div>
  )
}
