import type { RatedAction } from './rate-action.ts'

/** How a sentence presents an action. */
export type StatementMode = 'announced' | 'asked' | 'described' | 'doubted'

/** One action in a sentence. A request without an action has none. */
export interface Statement {
  readonly mode: StatementMode
  readonly action: RatedAction | null
  /** It would change nothing. */
  readonly isHarmless: boolean
}

/** What one sentence reveals about the agent's intent. */
export interface SentenceIntent {
  readonly statements: readonly Statement[]
  /** It claims that the user approved. */
  readonly claimsApproval: boolean
  /** It reports that somebody approved. */
  readonly reportsApproval: boolean
  /** The agent goes ahead with what was described. */
  readonly isProceeding: boolean
  /** It warns that the action cannot be undone. */
  readonly isWarning: boolean
  readonly isDoubt: boolean
  /** It doubts something, whether or not it names harm. */
  readonly isUnsure: boolean
  /** It announces a run and ends: the code that follows is what runs. */
  readonly runsNextCode: boolean
  /** It announces that code shown before is run. */
  readonly runsShownCode: boolean
}

/** A sentence without intent. */
export const NO_INTENT: SentenceIntent = {
  statements: [],
  claimsApproval: false,
  reportsApproval: false,
  isProceeding: false,
  isWarning: false,
  isDoubt: false,
  isUnsure: false,
  runsNextCode: false,
  runsShownCode: false,
}
