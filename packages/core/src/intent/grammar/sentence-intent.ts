import type { RatedAction } from './rate-action.ts'

/** How an action or an ask is spoken of. */
export type Voice = 'announced' | 'asked' | 'described' | 'doubted'

/** One thing said in a sentence. An ask without an action has none. */
export interface Saying {
  readonly voice: Voice
  readonly action: RatedAction | null
  /** Nothing would change by it. */
  readonly isHarmless: boolean
}

/** Everything said in a sentence, and what was heard beside it. */
export interface Heard {
  readonly sayings: readonly Saying[]
  /** It claims that the user allowed it. */
  readonly claim: boolean
  /** It says that it was allowed, by whomever. */
  readonly hearsay: boolean
  /** The speaker goes ahead, with whatever it is. */
  readonly isProceeding: boolean
  readonly warning: boolean
  readonly doubt: boolean
  /** It announces that something is run, and ends there: the code that follows is what runs. */
  readonly runsNext: boolean
  /** It announces that what was shown before is run. */
  readonly runsShown: boolean
}

/** A sentence in which nothing was heard. */
export const SILENCE: Heard = {
  sayings: [],
  claim: false,
  hearsay: false,
  isProceeding: false,
  warning: false,
  doubt: false,
  runsNext: false,
  runsShown: false,
}
