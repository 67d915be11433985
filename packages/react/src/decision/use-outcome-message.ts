import { useState } from 'react'
import { LostDecision } from '../source/submit-decision.ts'

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
export function useTold(blocked: string | null): Told {
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
