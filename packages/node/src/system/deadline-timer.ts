/** The longest that a timer can run. */
const LONGEST_MS = 2 ** 31 - 1

/** Wakes somebody when the soonest of many deadlines passes. */
export interface Deadlines {
  /** Sees to it that `passed` is asked in so many milliseconds at the latest; gives the moment, as `performance.now()` counts. */
  within(ms: number): number
  stop(): void
}

/**
 * One timer for all that waits: nearly everything is answered long before its deadline, and a timer of its own costs as
 * much as reading the answer. `passed` ends what is over by now and tells the soonest deadline that is left; it may be
 * asked too early.
 */
export function createDeadlines(passed: (now: number) => number): Deadlines {
  let timer: ReturnType<typeof setTimeout> | undefined
  let soonest = Infinity

  function wake(): void {
    soonest = Infinity
    const now = performance.now()
    const next = passed(now)
    if (next < soonest) arm(next, now)
  }

  function arm(at: number, now: number): void {
    clearTimeout(timer)
    soonest = at
    timer = setTimeout(wake, Math.min(Math.max(at - now, 0), LONGEST_MS)).unref() // what is waited for keeps the process
  }

  return {
    within(ms) {
      const now = performance.now()
      const at = Number.isNaN(ms) ? now : now + Math.max(ms, 0) // what is no number is over
      if (at < soonest) arm(at, now)
      return at
    },
    stop: () => clearTimeout(timer),
  }
}
