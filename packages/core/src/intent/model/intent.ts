import type { RiskLevel } from '../../risk/report/level.ts'

/** What an agent is about to do. `other` is a question without a known action; `none` is nothing. */
export const ACTION_TYPES = [
  'none',
  'other',
  'delete',
  'batch_delete',
  'overwrite',
  'modify',
  'batch_modify',
  'deploy',
  'publish',
  'push',
  'send',
  'batch_send',
  'pay',
  'grant',
  'disable',
  'cancel',
  'migrate',
  'restart',
  'install',
  'execute',
  'submit',
] as const

/** One of `ACTION_TYPES`. */
export type ActionType = (typeof ACTION_TYPES)[number]

/** How much an action affects. Only what the message names is set. */
export interface IntentScope {
  /** How many: `500`. */
  readonly records?: number
  /** Of what, in snake case: `user_accounts`. */
  readonly type?: string
  /** Everything of that type. */
  readonly all?: true
  readonly amount?: number
  /** ISO code, or the unit as written. */
  readonly currency?: string
  readonly environment?: 'production' | 'sandbox'
}

/** Kinds of findings in a message. */
export const SIGN_KINDS = ['ask', 'announcement', 'doubt', 'warning', 'claim', 'tag', 'harmless'] as const

/** One of `SIGN_KINDS`. */
export type SignKind = (typeof SIGN_KINDS)[number]

/** One finding in one sentence. */
export interface IntentSign {
  readonly kind: SignKind
  readonly required: boolean
  readonly level: RiskLevel
  readonly action: ActionType
  readonly scope: IntentScope
  /** Index into `Intent.sentences`; -1 for tags. */
  readonly sentence: number
}

/** What an agent's message reveals about its next action. The first four names are part of the wire format. */
export interface Intent {
  readonly confirmation_required: boolean
  readonly risk_level: RiskLevel
  readonly action_type: ActionType
  readonly scope: IntentScope
  /** All findings in the order of the text. */
  readonly signs: readonly IntentSign[]
  /** The sentences as read, with quotations and code marked. */
  readonly sentences: readonly string[]
}

/** Limits above which an action counts as large or critical. */
export interface IntentThresholds {
  /** More records than this raise the level. */
  readonly records: number
  /** More money than this raises the level. */
  readonly amount: number
  /** Words for production. */
  readonly productionWords: ReadonlySet<string>
  /** Every action is one in production, unless the words name a test environment. */
  readonly inProduction?: true
}

const LEVELS: readonly RiskLevel[] = ['none', 'low', 'medium', 'high', 'critical']

/** The position of a level, from harmless to worst. */
export function rank(level: RiskLevel): number {
  return LEVELS.indexOf(level)
}

export function atLeast(level: RiskLevel, floor: RiskLevel): RiskLevel {
  return rank(level) < rank(floor) ? floor : level
}

export function atMost(level: RiskLevel, ceiling: RiskLevel): RiskLevel {
  return rank(level) > rank(ceiling) ? ceiling : level
}

export function oneHigher(level: RiskLevel): RiskLevel {
  return LEVELS[rank(level) + 1] ?? 'critical'
}
