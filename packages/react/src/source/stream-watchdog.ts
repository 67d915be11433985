import { SILENT_MS } from '@countersign/core'

/** Time allowed for the first event of a new stream, which carries all held calls. */
export const OPENING_MS = 30_000
/** A timer this late means that the page was busy, so events are late too. */
const GRACE_MS = 500

/** Detects a stream that died without an error: after a network change, a proxy timeout or sleep. */
export interface StreamWatchdog {
  /** A new stream is being opened. */
  opened(): void
  /** An event arrived: restarts the timeout. */
  received(): void
  /** Checks the timeout now. */
  check(): void
  stop(): void
}

/** Calls `onDead` after too long without events, also right after the page wakes from sleep. */
export function watchStream(onDead: () => void): StreamWatchdog {
  let last = 0
  let limit = OPENING_MS
  let timer: ReturnType<typeof setTimeout> | undefined

  function wait(ms: number): void {
    clearTimeout(timer)
    last = Date.now()
    limit = ms
    timer = setTimeout(expire, ms)
  }

  /** A busy page gets a short grace period to receive queued events. */
  function expire(): void {
    if (Date.now() - last < limit + GRACE_MS) onDead()
    else timer = setTimeout(onDead, GRACE_MS)
  }

  // Timers stop during sleep; the wall clock does not.
  function check(): void {
    if (Date.now() - last >= limit) onDead()
  }
  function checkWhenVisible(): void {
    if (document.visibilityState === 'visible') check()
  }

  addEventListener('pageshow', checkWhenVisible)
  document.addEventListener('visibilitychange', checkWhenVisible)
  return {
    opened: () => wait(OPENING_MS),
    received: () => wait(SILENT_MS),
    check,
    stop() {
      clearTimeout(timer)
      removeEventListener('pageshow', checkWhenVisible)
      document.removeEventListener('visibilitychange', checkWhenVisible)
    },
  }
}
