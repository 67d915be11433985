import { type ReactNode, useState } from 'react'
import { Safe } from '../text/safe-text.tsx'
import { StopNote } from './blocker-note.tsx'

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
export function useStop(blocked: string | null, unread: string | null, said: string | null = null): Stop {
  const [isTold, setTold] = useState(false)
  return {
    words: blocked ?? unread,
    tell: () => setTold(true),
    note:
      said === null ? (
        <StopNote blocked={blocked} unread={unread} isTold={isTold} />
      ) : (
        <p className="cs-note" role="alert">
          <Safe text={said} />
        </p>
      ),
  }
}
