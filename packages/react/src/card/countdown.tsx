import { type ReactNode, useEffect, useRef } from 'react'
import { useServerNow } from '../source/server-clock.ts'
import { formatDuration, formatTime } from '../text/format.ts'

const SOON_MS = 30_000
const LAST_MS = 10_000

/** The time left by the service's clock. Announced once to screen readers near the end. */
export function Countdown({
  openedAt,
  expiresAt,
  words,
}: {
  readonly openedAt: number
  readonly expiresAt: number
  /** What happens at the deadline, as a past participle; by default the call expires. */
  readonly words?: string
}): ReactNode {
  const now = useServerNow()
  const left = expiresAt - now
  const bar = useRef<HTMLSpanElement>(null)
  const part = Math.min(1, Math.max(0, left / Math.max(1, expiresAt - openedAt)))
  useEffect(() => {
    bar.current?.style.setProperty('--cs-left', String(part))
  }, [part])
  const tone = left <= LAST_MS ? ' cs-countdown-last' : left <= SOON_MS ? ' cs-countdown-soon' : ''
  return (
    <div className={`cs-countdown${tone}`}>
      <span className="cs-countdown-bar" aria-hidden="true">
        <span ref={bar} />
      </span>
      <span className="cs-countdown-words">
        <span aria-hidden="true">{left <= LAST_MS ? '◔' : '◷'} </span>
        {left <= 0
          ? `${words ?? 'expired'} at ${formatTime(expiresAt)}`
          : `${formatDuration(left)} left, ${words ?? 'expires'} at ${formatTime(expiresAt)}`}
      </span>
      <span className="cs-hidden" role="status">
        {left <= LAST_MS && left > 0 ? 'Less than ten seconds left' : ''}
      </span>
    </div>
  )
}

/** The time left, for a row of a list. */
export function TimeLeft({ expiresAt, now }: { readonly expiresAt: number; readonly now: number }): ReactNode {
  const left = expiresAt - now
  const tone = left <= LAST_MS ? ' cs-countdown-last' : left <= SOON_MS ? ' cs-countdown-soon' : ''
  return (
    <span className={`cs-left${tone}`}>
      <span className="cs-hidden">time left </span>
      {left <= 0 ? 'expired' : formatDuration(left)}
    </span>
  )
}
