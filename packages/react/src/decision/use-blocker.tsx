import { type ReactNode, useEffect, useState } from 'react'
import { LostDecision } from '../source/submit-decision.ts'
import { SafeTextView } from '../text/safe-text.tsx'

/** What blocks an approval. */
export interface Stop {
  /** The reason; null if nothing blocks it. */
  readonly words: string | null
  /** The note above the buttons: the reason, or the result of the last attempt. */
  readonly note: ReactNode
  /** Announces the reason, after an attempt to approve. */
  tell(): void
}

/**
 * Combines `blocked` (decisions are blocked), `unread` (content left to read) and `said` (result of the last attempt).
 */
export function useBlocker(blocked: string | null, unread: string | null, said: string | null = null): Stop {
  const [isTold, setTold] = useState(false)
  return {
    words: blocked ?? unread,
    tell: () => setTold(true),
    note:
      said === null ? (
        <BlockerNote blocked={blocked} unread={unread} isTold={isTold} />
      ) : (
        <p className="cs-note" role="alert">
          <SafeTextView text={said} />
        </p>
      ),
  }
}

const DRAWN_MS = 150

/**
 * The note above the buttons that tells what blocks an approval. Once shown for unread content, it stays, so that the
 * buttons do not move under a finger.
 */
export function BlockerNote({
  blocked,
  unread,
  isTold = false,
}: {
  readonly blocked: string | null
  readonly unread: string | null
  /** The person tried to approve: announce it to screen readers. */
  readonly isTold?: boolean
}): ReactNode {
  const [hadToRead, setHadToRead] = useState(false)
  const [isDrawn, setDrawn] = useState(false)
  // Visibility is known only after the first paint, so a card that fits the window should not flash a note.
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(true), DRAWN_MS)
    return () => clearTimeout(timer)
  }, [])
  if (unread !== null && isDrawn && !hadToRead) setHadToRead(true)
  const stop = blocked ?? (isDrawn ? unread : null)
  if (stop === null) return hadToRead ? <p className="cs-note cs-note-done">You have read to the end.</p> : null
  return (
    <p className={isTold ? 'cs-note' : 'cs-note cs-note-quiet'} role={isTold ? 'alert' : undefined}>
      <SafeTextView text={stop} />
    </p>
  )
}

/** The result of the last attempt to decide. */
export interface Told {
  readonly words: string | null
  say(words: string): void
  /** The decision was refused or lost. */
  failed(error: unknown): void
  clear(): void
}

const STILL_HELD = 'Reconnected. This call is still held, and no decision has arrived.'

/** Clears the message when `blocked` ends, since it was about the lost connection. */
export function useOutcomeMessage(blocked: string | null): Told {
  const [words, setWords] = useState<string | null>(null)
  const [isLost, setLost] = useState(false)
  const [was, setWas] = useState(blocked)
  function say(next: string | null, isLostNow = false): void {
    setWords(next)
    setLost(isLostNow)
  }
  if (was !== blocked) {
    setWas(blocked)
    if (blocked === null) say(isLost ? STILL_HELD : null)
  }
  return {
    words,
    say,
    failed(error) {
      const told = error instanceof Error ? error : new LostDecision()
      say(told.message, told instanceof LostDecision)
    },
    clear: () => say(null),
  }
}
