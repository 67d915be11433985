import type { Tier } from '@countersign/node'

/** The result of one check; `holds` is undefined if it could not run. */
export interface Check {
  readonly name: string
  readonly holds: boolean | undefined
  readonly words: string
  /** How to fix a failed check. */
  readonly fix?: string
}

/** The tier that was reached, and what the next one needs. */
export interface Diagnosis {
  readonly tier: Tier
  /** Who ran the checks: the owner, an agent's user, or root as both. */
  readonly as: 'owner' | 'asker' | 'both'
  readonly checks: readonly Check[]
  readonly missing: readonly string[]
}

/** The failed checks that prevent a tier, each with its fix. */
export function failedChecks(tier: Tier, checks: readonly Check[]): readonly string[] {
  return checks
    .filter(({ holds }) => holds !== true)
    .map(({ words, fix }) => `${tier}: ${words}${fix === undefined ? '' : `; ${fix}`}`)
}
