import {
  BarButton,
  ignoreKeyRepeat,
  StrayPressNote,
  useArmed,
  useBlocker,
  useLostFocus,
  useUnread,
} from '@countersign/react'
import { type ReactNode, useRef, useState } from 'react'

/** Accepts a definition with two presses, after all of it was read and the bar is armed. SECURITY: A5, A14 */
export function AcceptBar({
  about,
  blocked,
  accept,
}: {
  /** Identifies the definition and its position; a change of either disarms the bar. */
  readonly about: string
  /** Why accepting is blocked; null if it is not. */
  readonly blocked: string | null
  /** Rejects with the reason if it fails. */
  readonly accept: () => Promise<void>
}): ReactNode {
  const [stage, setStage] = useState<'choose' | 'again' | 'sent'>('choose')
  const [note, setNote] = useState<string | null>(null)
  const [asked, setAsked] = useState(about)
  const armed = useArmed(`${about} ${stage}`)
  const blocker = useBlocker(blocked, useUnread('everything'), note)
  const button = useRef<HTMLButtonElement>(null)
  useLostFocus(button, stage)
  if (stage === 'again' && blocker.reason !== null) setStage('choose')
  if (asked !== about) {
    setAsked(about)
    if (stage === 'again') setStage('choose')
  }

  function press(): void {
    if (!armed || stage === 'sent') return
    if (blocker.reason !== null) {
      setNote(blocker.reason)
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
      setNote(error instanceof Error ? error.message : 'no response from the service; reload the page and check')
    })
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles key repeat anywhere in the bar
    <div className="accept-bar" data-armed={armed} data-stage={stage} onKeyDown={ignoreKeyRepeat}>
      {stage === 'again' && (
        <p className="cs-again" role="status">
          Once you accept it, policy decides its calls. Nothing is accepted yet.
        </p>
      )}
      {(stage === 'choose' || note !== null) && blocker.note}
      <StrayPressNote />
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
          disabled={!armed || blocker.reason !== null || stage === 'sent'}
          onPress={press}
        >
          {stage === 'sent' ? 'Signing…' : stage === 'again' ? 'Accept and sign' : 'Accept this definition'}
        </BarButton>
      </div>
    </div>
  )
}
