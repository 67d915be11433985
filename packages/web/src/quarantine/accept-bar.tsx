import { BarButton, ignoreKeyRepeat, useArmed, useBlocker, useLostFocus, useUnread } from '@countersign/react'
import { type ReactNode, useRef, useState } from 'react'

/**
 * Accepting is deciding: two presses, never before all of it was seen, and none that was meant for something else.
 * SECURITY: A5, A14
 */
export function AcceptBar({
  about,
  blocked,
  accept,
}: {
  /** What is accepted, and where it stands: another, or one that slid under the pointer, is another question. */
  readonly about: string
  /** Why nothing may be accepted now, in words; null when it may. */
  readonly blocked: string | null
  /** Rejects with the reason why nothing happened. */
  readonly accept: () => Promise<void>
}): ReactNode {
  const [stage, setStage] = useState<'choose' | 'again' | 'sent'>('choose')
  const [note, setNote] = useState<string | null>(null)
  const [asked, setAsked] = useState(about)
  const armed = useArmed(`${about} ${stage}`)
  const stop = useBlocker(blocked, useUnread('everything'), note)
  const button = useRef<HTMLButtonElement>(null)
  useLostFocus(button, stage)
  if (stage === 'again' && stop.words !== null) setStage('choose')
  if (asked !== about) {
    setAsked(about)
    if (stage === 'again') setStage('choose')
  }

  function press(): void {
    if (!armed || stage === 'sent') return
    if (stop.words !== null) {
      setNote(stop.words)
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
    // biome-ignore lint/a11y/noStaticElementInteractions: a held key, wherever in the bar the focus is
    <div className="accept-bar" data-armed={armed} data-stage={stage} onKeyDown={ignoreKeyRepeat}>
      {stage === 'again' && (
        <p className="cs-again" role="status">
          From then on its calls are judged by policy. Nothing has been accepted yet.
        </p>
      )}
      {(stage === 'choose' || note !== null) && stop.note}
      <div className="cs-actions">
        {stage === 'again' && (
          <BarButton kind="plain" onPress={() => setStage('choose')}>
            Back
          </BarButton>
        )}
        <BarButton
          ref={button}
          kind="approve"
          level="high"
          disabled={!armed || stop.words !== null || stage === 'sent'}
          onPress={press}
        >
          {stage === 'sent' ? 'Signing…' : stage === 'again' ? 'Yes, accept it' : 'Accept this definition'}
        </BarButton>
      </div>
    </div>
  )
}
