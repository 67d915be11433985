import type { Permit } from '@countersign/core'

/** An exchange under one permit with a server that needs input. */
export interface Round {
  readonly permit: Permit
  /** How often its call was sent again. */
  readonly count: number
  /** When the server first asked. */
  readonly since: number
}

/**
 * Calls whose server needs input first (`input_required`): one approval covers the exchange. SECURITY: A9 the retry
 * must have the same tool, arguments and server state, and is accepted once; the key covers all of that.
 */
export interface OpenRounds {
  /** Waits for the retry. False when the approval is used up. */
  open(key: string, round: Pick<Round, 'permit' | 'count'> & { readonly since: number | null }): boolean
  readonly size: number
  /** The round that a retry continues, or null; the oldest of equal ones. */
  take(key: string): Round | null
  /** The permits whose retry did not come in time, or all. */
  abandoned(all: boolean): readonly Permit[]
}

/** INVARIANT: L10. Beyond this the oldest is given up. */
const MAX_OPEN = 64
/** SECURITY: A9 one approval covers this many retries (official clients stop there too), for this long. */
export const MAX_ROUNDS = 10
const LONGEST_MS = 10 * 60_000

export function createOpenRounds(now: () => number): OpenRounds {
  /** Oldest first; several may have the same key. */
  let rounds: readonly (Round & { readonly key: string })[] = []
  const isLate = ({ since }: Round): boolean => now() - since >= LONGEST_MS

  return {
    open(key, { permit, count, since }) {
      const round = { key, permit, count, since: since ?? now() }
      if (count >= MAX_ROUNDS || isLate(round)) return false
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
      const most = rounds.length - MAX_OPEN
      const left = rounds.filter((round, at) => all || at < most || isLate(round))
      if (left.length > 0) rounds = rounds.filter((round) => !left.includes(round))
      return left.map(({ permit }) => permit)
    },
  }
}

const NONE: readonly Permit[] = []
