import type { Clock } from '../../ports/clock.ts'

const WINDOW_MS = 60_000
/** Entries per minute for refusals under one id. */
const MOST = 10
const MOST_IDS = 10_000

/**
 * Limits how many refusals under one id get a journal entry: ten a minute. The next entry has the number of those
 * without one; the rest is recorded when the gate closes.
 * SECURITY: A31 anybody can use the id of another's call, and must not flood its entries.
 */
export interface RefusalRateLimit {
  /** The number of refusals without an entry since the last one with an entry; null when this one gets none either. */
  take(callId: string): number | null
  /** Refusals that are in no entry yet. */
  unrecorded(): readonly { readonly callId: string; readonly unwritten: number }[]
}

interface Tally {
  since: number
  taken: number
  unwritten: number
}

export function createRefusalRateLimit(clock: Pick<Clock, 'monotonic'>): RefusalRateLimit {
  const tallies = new Map<string, Tally>()
  return {
    take(callId) {
      const now = clock.monotonic()
      const tally = tallies.get(callId) ?? { since: now, taken: 0, unwritten: 0 }
      const [eldest] = tallies.size >= MOST_IDS ? tallies.keys() : []
      if (eldest !== undefined) tallies.delete(eldest)
      tallies.set(callId, tally)
      if (now - tally.since >= WINDOW_MS) {
        tally.since = now
        tally.taken = 0
      }
      if (tally.taken >= MOST) {
        tally.unwritten += 1
        return null
      }
      const { unwritten } = tally
      tally.taken += 1
      tally.unwritten = 0
      return unwritten
    },
    unrecorded: () =>
      [...tallies].flatMap(([callId, { unwritten }]) => (unwritten === 0 ? [] : [{ callId, unwritten }])),
  }
}
