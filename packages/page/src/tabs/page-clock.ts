import type { Clock } from '@countersign/core'

/** The page's clock. */
export interface PageClock extends Clock {
  /** Fires the timers that are due. Browsers delay timers of hidden tabs, but not messages. */
  wakeDue(): void
}

/** The longest wait that a browser's timers can count; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Opens a clock on the browser's clocks and timers. */
export function openClock(): PageClock {
  const waiting = new Map<() => void, number>()

  function after(ms: number, wake: () => void): () => void {
    const due = performance.now() + Math.max(ms, 0)
    let timer: ReturnType<typeof setTimeout>
    const fire = (): void => {
      clearTimeout(timer)
      if (waiting.delete(fire)) wake()
    }
    const wait = (): void => {
      const left = Math.max(due - performance.now(), 0)
      timer = setTimeout(left > LONGEST_TIMER_MS ? wait : fire, Math.min(left, LONGEST_TIMER_MS))
    }
    waiting.set(fire, due)
    wait()
    return () => {
      clearTimeout(timer)
      waiting.delete(fire)
    }
  }

  return Object.freeze({
    now: () => Date.now(),
    monotonic: () => performance.now(),
    after,
    wakeDue() {
      const now = performance.now()
      for (const [fire, due] of [...waiting]) if (due <= now) fire()
    },
  })
}
