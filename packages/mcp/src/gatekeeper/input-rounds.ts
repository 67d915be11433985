import type { Permit } from '@countersign/core'

/** An exchange with a server that wants to know something first, under one permit. */
export interface Round {
  readonly permit: Permit
  /** How often its call was sent again. */
  readonly count: number
  /** When the server first asked. */
  readonly since: number
}

/**
 * Calls whose server wants to know something first (`input_required`): one approval for the whole exchange.
 * SECURITY: A9 the retry must be of the same tool with the same arguments, bring back exactly the state the server gave, and
 * is taken once; a key is all of that.
 */
export interface OpenRounds {
  /** Waits for the retry. False when the exchange has had all that one approval covers. */
  open(key: string, round: Pick<Round, 'permit' | 'count'> & { readonly since: number | null }): boolean
  readonly size: number
  /** What a retry goes on with, or null; the oldest of several that are alike. */
  take(key: string): Round | null
  /** Those whose retry never came in time, or all. */
  abandoned(all: boolean): readonly Permit[]
}

/** INVARIANT: L10. Past it the oldest is given up. */
const MOST_OPEN = 64
/** SECURITY: A9 what one approval covers: so many retries, after which official clients give up as well, for so long. */
export const MOST_ROUNDS = 10
const LONGEST_MS = 10 * 60_000

export function createOpenRounds(now: () => number): OpenRounds {
  /** Oldest first; several may have the same key. */
  let rounds: readonly (Round & { readonly key: string })[] = []
  const isLate = ({ since }: Round): boolean => now() - since >= LONGEST_MS

  return {
    open(key, { permit, count, since }) {
      const round = { key, permit, count, since: since ?? now() }
      if (count >= MOST_ROUNDS || isLate(round)) return false
      rounds = [...rounds, round]
      return true
    },
    get size() {
      return rounds.length
    },
    take(key) {
      const found = rounds.find((round) => round.key === key && !isLate(round))
      if (found === undefined) return null
      rounds = rounds.filter((round) => round !== found)
      return found
    },
    abandoned(all) {
      if (rounds.length === 0) return NONE
      const most = rounds.length - MOST_OPEN
      const left = rounds.filter((round, at) => all || at < most || isLate(round))
      if (left.length > 0) rounds = rounds.filter((round) => !left.includes(round))
      return left.map(({ permit }) => permit)
    },
  }
}

const NONE: readonly Permit[] = []
