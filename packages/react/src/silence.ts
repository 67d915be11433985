/** The service says `now` every 15 s: after two that did not come, nobody is there. */
export const SILENT_MS = 35_000

/** Notices that a stream has died without an error: a network that changed, a proxy that forgot, a machine that slept. */
export interface SilenceWatch {
  /** Something came, or a new stream was opened: counting starts again. */
  heard(): void
  stop(): void
}

/** Calls `isDead` when nothing was heard for too long; after a sleep, as soon as somebody looks again. */
export function watchSilence(isDead: () => void): SilenceWatch {
  let last = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function heard(): void {
    clearTimeout(timer)
    last = Date.now()
    timer = setTimeout(isDead, SILENT_MS)
  }

  // Timers rest while a machine sleeps or a page is frozen; the wall clock does not.
  function look(): void {
    if (document.visibilityState === 'visible' && Date.now() - last >= SILENT_MS) isDead()
  }

  addEventListener('pageshow', look)
  document.addEventListener('visibilitychange', look)
  return {
    heard,
    stop() {
      clearTimeout(timer)
      removeEventListener('pageshow', look)
      document.removeEventListener('visibilitychange', look)
    },
  }
}
