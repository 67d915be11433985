import { maskText, proposalDiff, proposalWords, type RulesAnswer, type RulesProposal } from '@countersign/core'
import { type ReactNode, useId, useState } from 'react'
import { SafeTextView } from '../text/safe-text.tsx'

/** What a person adds to a change that needs a code and a reason. */
export interface TypedAnswer {
  readonly code: string
  readonly reason: string
}

export const NOTHING_TYPED: TypedAnswer = { code: '', reason: '' }

/** The answer to a change of the rules; null while something is missing or it cannot be applied. */
export function answerTo(proposal: RulesProposal, { code, reason }: TypedAnswer): RulesAnswer | null {
  if (proposal.failing.length > 0 && proposal.change.act !== 'undo') return null
  if (!proposal.act.typed) return { proposal }
  const isTyped = code.trim().toLowerCase() === proposal.code && reason.trim() !== ''
  return isTyped ? { proposal, code: proposal.code, reason: reason.trim() } : null
}

/** A change of the policy before it is signed: its diff, what it would do, and the fields it needs. */
export function RuleProposal({
  proposal,
  typed,
  onType,
}: {
  readonly proposal: RulesProposal
  readonly typed: TypedAnswer
  readonly onType: (typed: TypedAnswer) => void
}): ReactNode {
  const diff = proposalDiff(proposal)
  return (
    <section className="cs-change" aria-label="Change of the policy">
      {diff.length > 0 && (
        <pre className="cs-change-diff">
          {diff.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place in the diff
            <span key={at} className={line.startsWith('+') ? 'cs-change-added' : 'cs-change-removed'}>
              <SafeTextView text={maskText(line).value} />
              {'\n'}
            </span>
          ))}
        </pre>
      )}
      <ul className="cs-covered">
        {proposalWords(proposal).map((line) => (
          <li key={line} className={line.startsWith('would fail') ? 'cs-bad' : undefined}>
            <SafeTextView text={maskText(line.trim()).value} />
          </li>
        ))}
      </ul>
      {proposal.act.typed && <CodeAndReason code={proposal.code} typed={typed} onType={onType} />}
    </section>
  )
}

/** The fields for a change that loosens manual supervision. */
function CodeAndReason({
  code,
  typed,
  onType,
}: {
  readonly code: string
  readonly typed: TypedAnswer
  readonly onType: (typed: TypedAnswer) => void
}): ReactNode {
  const name = useId()
  return (
    <div className="cs-manual-fields">
      <label htmlFor={`${name}-code`}>
        <span>
          This loosens manual supervision. Type <b className="cs-the-code">{code}</b>
        </span>
        <input
          id={`${name}-code`}
          className="cs-input cs-mono cs-code-input"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={8}
          value={typed.code}
          onChange={(event) => onType({ ...typed, code: event.target.value })}
        />
      </label>
      <label htmlFor={`${name}-reason`} className="cs-grow">
        <span>Reason</span>
        <input
          id={`${name}-reason`}
          className="cs-input"
          maxLength={500}
          value={typed.reason}
          onChange={(event) => onType({ ...typed, reason: event.target.value })}
        />
      </label>
    </div>
  )
}

/** What a person has typed into a proposal; empty again for another one. */
export function useTyped(proposal: RulesProposal | undefined): readonly [TypedAnswer, (typed: TypedAnswer) => void] {
  const [typed, setTyped] = useState<TypedAnswer & { readonly of?: string | undefined }>(NOTHING_TYPED)
  const nonce = proposal?.change.nonce
  return [typed.of === nonce ? typed : NOTHING_TYPED, (next) => setTyped({ ...next, of: nonce })]
}
