/** One thing that was tried, and what came of it. `undefined`: it could not be tried here. */
export interface Check {
  readonly name: string
  readonly holds: boolean | undefined
  readonly words: string
}

/** What trying showed: the tier that holds, and what is missing for the next. */
export interface Diagnosis {
  readonly tier: 'T0' | 'T1' | 'T2'
  readonly as: 'owner' | 'asker'
  readonly checks: readonly Check[]
  readonly missing: readonly string[]
}
