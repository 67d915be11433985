import { SILENT_MS } from '@countersign/core'

/** A new stream begins with everything that is held, which may take its time; nothing is called live meanwhile. */
export const OPENING_MS = 30_000
/** A timer that comes later than this was held up, and so was what there is to hear. */
const HELD_UP_MS = 500

/** Notices that a stream has died without an error: a network that changed, a proxy that forgot, a machine that slept. */
export interface StreamWatchdog {
  /** A new stream was opened. */
  opening(): void
  /** Something came: counting starts again. */
  heard(): void
  /** Somebody wants to know now. */
  look(): void
  stop(): void
}

/** Calls `isDead` when nothing was heard for too long; after a sleep, as soon as somebody looks again. */
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

  /** A page that was busy hears first what came meanwhile: once, and shortly. */
  function over(): void {
    if (Date.now() - last < most + HELD_UP_MS) isDead()
    else timer = setTimeout(isDead, HELD_UP_MS)
  }

  // Timers rest while a machine sleeps or a page is frozen; the wall clock does not.
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
