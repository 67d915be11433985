import { type ReactNode, useEffect, useState } from 'react'
import { Safe } from '../text/safe-text.tsx'

const DRAWN_MS = 150

/**
 * The line above the buttons that says what keeps a call from being approved. Once something had to be read, the line
 * stays: were it taken away, the page would move under the finger of whoever has just come to the end.
 */
export function StopNote({
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
      <Safe text={stop} />
    </p>
  )
}
