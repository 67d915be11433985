import { type ReactNode, useEffect, useState } from 'react'
import { LostDecision } from '../source/submit-decision.ts'
import { SafeTextView } from '../text/safe-text.tsx'

/** What blocks an approval. */
export interface Blocker {
  /** The reason; null if nothing blocks it. */
  readonly reason: string | null
  /** The note above the buttons: the reason, or the result of the last attempt. */
  readonly note: ReactNode
  /** Announces the reason, after an attempt to approve. */
  announce(): void
}

/**
 * Combines `blocked` (decisions are blocked), `unread` (content left to read) and `outcome` (result of the last attempt).
 */
export function useBlocker(blocked: string | null, unread: string | null, outcome: string | null = null): Blocker {
  const [isAnnounced, setAnnounced] = useState(false)
  return {
    reason: blocked ?? unread,
    announce: () => setAnnounced(true),
    note:
      outcome === null ? (
        <BlockerNote blocked={blocked} unread={unread} isAnnounced={isAnnounced} />
      ) : (
        <p className="cs-note" role="alert">
          <SafeTextView text={outcome} />
        </p>
      ),
  }
}

const PAINT_MS = 150

/**
 * The note above the buttons that tells what blocks an approval. Once shown for unread content, it stays, so that the
 * buttons do not move under a finger.
 */
function BlockerNote({
  blocked,
  unread,
  isAnnounced = false,
}: {
  readonly blocked: string | null
  readonly unread: string | null
  /** The person tried to approve: announce it to screen readers. */
  readonly isAnnounced?: boolean
}): ReactNode {
  const [hadToRead, setHadToRead] = useState(false)
  const [isPainted, setPainted] = useState(false)
  // Visibility is known only after the first paint, so a card that fits the window should not flash a note.
  useEffect(() => {
    const timer = setTimeout(() => setPainted(true), PAINT_MS)
    return () => clearTimeout(timer)
  }, [])
  if (unread !== null && isPainted && !hadToRead) setHadToRead(true)
  const reason = blocked ?? (isPainted ? unread : null)
  if (reason === null) return hadToRead ? <p className="cs-note cs-note-done">You have read to the end.</p> : null
  return (
    <p className={isAnnounced ? 'cs-note' : 'cs-note cs-note-quiet'} role={isAnnounced ? 'alert' : undefined}>
      <SafeTextView text={reason} />
    </p>
  )
}

/** The result of the last attempt to decide. */
interface OutcomeMessage {
  readonly text: string | null
  show(text: string): void
  /** The decision was refused or lost. */
  fail(error: unknown): void
  clear(): void
}

const STILL_HELD = 'Reconnected. This call is still held, and no decision has arrived.'

/** Clears the message when `blocked` ends, since it was about the lost connection. */
export function useOutcomeMessage(blocked: string | null): OutcomeMessage {
  const [text, setText] = useState<string | null>(null)
  const [isLost, setLost] = useState(false)
  const [was, setWas] = useState(blocked)
  function show(next: string | null, isLostNow = false): void {
    setText(next)
    setLost(isLostNow)
  }
  if (was !== blocked) {
    setWas(blocked)
    if (blocked === null) show(isLost ? STILL_HELD : null)
  }
  return {
    text,
    show,
    fail(error) {
      const cause = error instanceof Error ? error : new LostDecision()
      show(cause.message, cause instanceof LostDecision)
    },
    clear: () => show(null),
  }
}
