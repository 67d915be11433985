import type { Feedback } from '@countersign/react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { service } from '../api/service.ts'

const ANSWERS: readonly (readonly [Feedback, string])[] = [
  ['worth-asking', 'Worth asking'],
  ['not-worth-asking', 'Not worth asking'],
]

/** Asks after a decision whether the question was worth it. Optional, recorded, and without effect on the policy. */
export function WorthAsking({ call }: { readonly call: string }): ReactNode {
  const rate = useMutation({ mutationFn: (answer: Feedback) => service.feedback(call, answer) })
  return (
    <div className="worth-asking">
      <fieldset className="cs-row">
        <legend className="cs-hidden">Was this worth asking?</legend>
        {ANSWERS.map(([answer, label]) => (
          <button
            key={answer}
            type="button"
            className="cs-button"
            aria-pressed={rate.isSuccess && rate.variables === answer}
            disabled={rate.isPending}
            onClick={() => rate.mutate(answer)}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <p className="cs-dim" role="status">
        {rate.isSuccess ? 'Recorded. No rule changed; see Charts.' : (rate.error?.message ?? '')}
      </p>
    </div>
  )
}
