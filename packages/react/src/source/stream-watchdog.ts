import { SILENT_MS } from '@countersign/core'

/** Time allowed for the first event of a new stream, which carries all held calls. */
export const OPENING_MS = 30_000
/** A timer this late means that the page was busy, so events are late too. */
const HELD_UP_MS = 500

/** Detects a stream that died without an error: after a network change, a proxy timeout or sleep. */
export interface StreamWatchdog {
  /** A new stream is being opened. */
  opening(): void
  /** An event arrived: restarts the timeout. */
  heard(): void
  /** Checks the timeout now. */
  look(): void
  stop(): void
}

/** Calls `isDead` after too long without events, also right after the page wakes from sleep. */
export function watchStream(isDead: () => void): StreamWatchdog {
  let last = 0
  let most = OPENING_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  function wait(ms: number): void {
    clearTimeout(timer)
    last = Date.now()
    most = ms
    timer = setTimeout(over, ms)
  }

  /** A busy page gets a short grace period to receive queued events. */
  function over(): void {
    if (Date.now() - last < most + HELD_UP_MS) isDead()
    else timer = setTimeout(isDead, HELD_UP_MS)
  }

  // Timers stop during sleep; the wall clock does not.
  function look(): void {
    if (Date.now() - last >= most) isDead()
  }
  function lookWhenSeen(): void {
    if (document.visibilityState === 'visible') look()
  }

  addEventListener('pageshow', lookWhenSeen)
  document.addEventListener('visibilitychange', lookWhenSeen)
  return {
    opening: () => wait(OPENING_MS),
    heard: () => wait(SILENT_MS),
    look,
    stop() {
      clearTimeout(timer)
      removeEventListener('pageshow', lookWhenSeen)
      document.removeEventListener('visibilitychange', lookWhenSeen)
    },
  }
}
