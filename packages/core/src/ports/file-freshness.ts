import type { Clock } from './clock.ts'

/** Looks at files, shared by those who came together: many calls at once, or a decision and its call. */
export interface SharedLooks {
  arrive(): Arrival
  /** Looks whether the files are as they were read. */
  isFresh(): boolean
  /** Whether a look that was made just now, and after this arrival, found them so. */
  isSeenSince(since: Arrival): boolean
}

/** How long a look serves whoever came before it. */
const JUST_NOW_MS = 2

/**
 * Shares looks. `look` says whether all is as it was read. INVARIANT: L2, what was written before somebody came is seen by
 * them: no look that is older serves them.
 *
 * @example
 * const looks = createSharedLooks(() => true, { monotonic: () => performance.now() })
 */
export function createSharedLooks(look: () => boolean, clock: Pick<Clock, 'monotonic'>): SharedLooks {
  let order = 0
  let seen = Number.NEGATIVE_INFINITY
  let seenAt = Number.NEGATIVE_INFINITY
  return {
    arrive() {
      order += 1
      return order
    },
    isFresh() {
      order += 1
      const [mine, at] = [order, clock.monotonic()]
      const isFresh = look()
      seen = isFresh ? mine : Number.NEGATIVE_INFINITY
      seenAt = at
      return isFresh
    },
    isSeenSince: (since) => seen > since && clock.monotonic() - seenAt < JUST_NOW_MS,
  }
}

/** When somebody came: a number below that of every look at the policy that is made later. */
export type Arrival = number
