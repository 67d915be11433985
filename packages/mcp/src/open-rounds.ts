import { canonicalJson, type Json, type Permit } from '@countersign/core'

/**
 * Calls whose server wants to know something first (`input_required`): one approval for the whole exchange.
 * SECURITY: A9 the retry must be of the same tool with the same arguments, bring back exactly the state the server gave, and
 * is taken once; anything else is a new call and is asked for anew.
 */
export interface OpenRounds {
  open(key: string, state: Json | undefined, permit: Permit): void
  /** The permit that a retry goes on with, or null. */
  take(key: string, state: Json | undefined): Permit | null
  /** Those whose retry never came: since `maxAgeMs`, or all. */
  abandoned(maxAgeMs: number | null): readonly Permit[]
}

/** INVARIANT: L10. Past it the oldest is given up. */
const MOST_OPEN = 64

/** What an exchange is bound to, besides the state. */
export function roundKey(tool: string, args: Json | undefined): string {
  return canonicalJson([tool, args ?? null])
}

export function createOpenRounds(now: () => number): OpenRounds {
  const rounds = new Map<string, { readonly permit: Permit; readonly at: number }>()
  const nameOf = (key: string, state: Json | undefined): string => canonicalJson([key, state ?? null])

  return {
    open(key, state, permit) {
      rounds.set(nameOf(key, state), { permit, at: now() })
    },
    take(key, state) {
      const name = nameOf(key, state)
      const found = rounds.get(name)
      rounds.delete(name)
      return found?.permit ?? null
    },
    abandoned(maxAgeMs) {
      const left: Permit[] = []
      for (const [name, { permit, at }] of rounds) {
        if (maxAgeMs !== null && now() - at < maxAgeMs && rounds.size <= MOST_OPEN) break
        rounds.delete(name)
        left.push(permit)
      }
      return left
    },
  }
}
