/** The longest that a timer can run. */
const LONGEST_MS = 2 ** 31 - 1

/** Calls back when the soonest of many deadlines passes. */
export interface Deadlines {
  /** Makes sure that `passed` is called within `ms`; returns that moment, in the time of `performance.now()`. */
  within(ms: number): number
  stop(): void
}

/**
 * One timer for many deadlines: nearly every answer comes long before its deadline, and a timer per answer would cost as
 * much as reading it. `passed` ends what is overdue and returns the next deadline; it may be called too early.
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
    timer = setTimeout(wake, Math.min(Math.max(at - now, 0), LONGEST_MS)).unref() // the waiting work itself keeps the process alive
  }

  return {
    within(ms) {
      const now = performance.now()
      const at = Number.isNaN(ms) ? now : now + Math.max(ms, 0) // NaN counts as overdue
      if (at < soonest) arm(at, now)
      return at
    },
    stop: () => clearTimeout(timer),
  }
}
