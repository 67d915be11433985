import type { Tier } from '@countersign/node'

/** One thing that was tried, and what came of it. `undefined`: it could not be tried here. */
export interface Check {
  readonly name: string
  readonly holds: boolean | undefined
  readonly words: string
  /** What to do where it does not hold. */
  readonly fix?: string
}

/** What trying showed: the tier that holds, and what is missing for the next. */
export interface Diagnosis {
  readonly tier: Tier
  /** Who tried: the one who decides, the one who asks, or root as both of them. */
  readonly as: 'owner' | 'asker' | 'both'
  readonly checks: readonly Check[]
  readonly missing: readonly string[]
}

/** What a check that does not hold keeps from a tier, and how to mend it. */
export function lacking(tier: Tier, checks: readonly Check[]): readonly string[] {
  return checks
    .filter(({ holds }) => holds !== true)
    .map(({ words, fix }) => `${tier}: ${words}${fix === undefined ? '' : `; ${fix}`}`)
}
