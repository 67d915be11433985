import { type ReactNode, useEffect, useState } from 'react'
import { LostDecision } from '../source/submit-decision.ts'
import { SafeTextView } from '../text/safe-text.tsx'

/** What keeps something from being approved. */
export interface Stop {
  /** In words; null when nothing does. */
  readonly words: string | null
  /** The line above the buttons that says so, or what became of the last try. */
  readonly note: ReactNode
  /** Somebody tried all the same: from then on it is said aloud. */
  tell(): void
}

/** `blocked`: nothing may be decided. `unread`: not all was seen. `said`: what became of the last try. */
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
 * The line above the buttons that says what keeps a call from being approved. Once something had to be read, the line
 * stays: were it taken away, the page would move under the finger of whoever has just come to the end.
 */
export function BlockerNote({
  blocked,
  unread,
  isTold = false,
}: {
  readonly blocked: string | null
  readonly unread: string | null
  /** Somebody tried all the same: then it is said aloud. */
  readonly isTold?: boolean
}): ReactNode {
  const [hadToRead, setHadToRead] = useState(false)
  const [isDrawn, setDrawn] = useState(false)
  // What the browser has in sight it tells only after drawing: a card that fits the window has nothing to say.
  useEffect(() => {
    const timer = setTimeout(() => setDrawn(true), DRAWN_MS)
    return () => clearTimeout(timer)
  }, [])
  if (unread !== null && isDrawn && !hadToRead) setHadToRead(true)
  const stop = blocked ?? (isDrawn ? unread : null)
  if (stop === null) return hadToRead ? <p className="cs-note cs-note-done">All of it was shown.</p> : null
  return (
    <p className={isTold ? 'cs-note' : 'cs-note cs-note-quiet'} role={isTold ? 'alert' : undefined}>
      <SafeTextView text={stop} />
    </p>
  )
}

/** What became of the last try to decide, in words. */
export interface Told {
  readonly words: string | null
  say(words: string): void
  /** It was sent and did not count, or nobody knows. */
  failed(error: unknown): void
  clear(): void
}

const STILL_HELD = 'Live again: this call is still held, and no decision on it has arrived so far.'

/** What was said of a page that was not live is over with that, and `blocked` says when it is. */
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
