import { Safe, StopNote, useArmed, useUnread } from '@countersign/react'
import { type ReactNode, useState } from 'react'

/**
 * Accepting is deciding: two presses, never before all of it was seen, and none that was meant for something else.
 * SECURITY: A5, A14
 */
export function AcceptBar({
  about,
  blocked,
  accept,
}: {
  /** What is accepted: another one is another question. */
  readonly about: string
  /** Why nothing may be accepted now, in words; null when it may. */
  readonly blocked: string | null
  /** Rejects with the reason why nothing happened. */
  readonly accept: () => Promise<void>
}): ReactNode {
  const [stage, setStage] = useState<'choose' | 'again' | 'sent'>('choose')
  const [note, setNote] = useState<string | null>(null)
  const armed = useArmed(`${about} ${stage}`)
  const unread = useUnread('everything')
  const stop = blocked ?? unread
  if (stage === 'again' && stop !== null) setStage('choose')

  function press(): void {
    if (!armed || stage === 'sent') return
    if (stop !== null) {
      setNote(stop)
      return
    }
    setNote(null)
    if (stage === 'choose') {
      setStage('again')
      return
    }
    setStage('sent')
    accept().catch((error: unknown) => {
      setStage('choose')
      setNote(error instanceof Error ? error.message : 'the answer did not arrive; look again')
    })
  }

  return (
    <div className="accept-bar" data-armed={armed} data-stage={stage}>
      {stage === 'again' && (
        <p className="cs-again" role="status">
          From then on its calls are judged by policy. Nothing has been accepted yet.
        </p>
      )}
      {note !== null && (
        <p className="cs-note" role="alert">
          <Safe text={note} />
        </p>
      )}
      {note === null && stage === 'choose' && <StopNote blocked={blocked} unread={unread} />}
      <div className="cs-actions">
        {stage === 'again' && (
          <button type="button" className="cs-button cs-big" onClick={() => setStage('choose')}>
            Back
          </button>
        )}
        <button
          type="button"
          className="cs-button cs-big cs-approve cs-approve-high"
          aria-disabled={!armed || stop !== null || stage === 'sent'}
          onClick={press}
        >
          {stage === 'sent' ? 'Signing…' : stage === 'again' ? 'Yes, accept it' : 'Accept this definition'}
        </button>
      </div>
    </div>
  )
}
