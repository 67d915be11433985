import type { Clock } from '../../ports/clock.ts'

const WINDOW_MS = 60_000
/** Entries a minute that refusals may leave under one id. */
const MOST = 10
const MOST_IDS = 10_000

/**
 * How many refusals under one id get an entry: ten a minute, and the next that has one tells how many had none; what is
 * left to tell when the gate closes is told then.
 * SECURITY: A31 anybody can name the id of another's call, and must not fill what the journal says of it.
 */
export interface RefusalRateLimit {
  /** How many had no entry since the last that had one; null: neither does this one. */
  take(callId: string): number | null
  /** Those that no later entry told of, with how many they are. */
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
