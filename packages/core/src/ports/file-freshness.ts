import type { Clock } from './clock.ts'

/** The place of a caller or a decision in the order of arrivals and checks. */
export type Arrival = number

/** Checks whether files are unchanged. A check is shared by those that arrived together: many calls, or a decision and its call. */
export interface FreshnessChecks {
  arrive(): Arrival
  /** Checks now. */
  isFresh(): boolean
  /** Whether a check made after this arrival, and within the last 2 ms, found the files unchanged. */
  isCheckedSince(arrival: Arrival): boolean
}

/** How long a check may be reused. */
const REUSE_MS = 2

/**
 * Shares the checks of `isUnchanged`. INVARIANT: L2, whoever arrives sees what was written before: an older check is
 * never reused for them.
 *
 * @example
 * const checks = createFreshnessChecks(() => true, { monotonic: () => performance.now() })
 */
export function createFreshnessChecks(isUnchanged: () => boolean, clock: Pick<Clock, 'monotonic'>): FreshnessChecks {
  let order = 0
  let checked = Number.NEGATIVE_INFINITY
  let checkedAt = Number.NEGATIVE_INFINITY
  return {
    arrive() {
      order += 1
      return order
    },
    isFresh() {
      order += 1
      const [mine, at] = [order, clock.monotonic()]
      const isFresh = isUnchanged()
      checked = isFresh ? mine : Number.NEGATIVE_INFINITY
      checkedAt = at
      return isFresh
    },
    isCheckedSince: (arrival) => checked > arrival && clock.monotonic() - checkedAt < REUSE_MS,
  }
}
