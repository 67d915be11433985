import type { RiskLevel } from '../../risk/report/level.ts'

/** What an agent is about to do, as a closed set; `other` is an ask that names nothing we know, `none` is nothing at all. */
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

/** How much an action touches, and of what. Only what the words say is there. */
export interface IntentScope {
  /** How many things: `500`. */
  readonly records?: number
  /** What they are, in snake case: `user_accounts`. */
  readonly type?: string
  /** Everything of that type. */
  readonly all?: true
  readonly amount?: number
  /** ISO code, or the unit as written. */
  readonly currency?: string
  readonly environment?: 'production' | 'sandbox'
}

/** Why a sentence counts. */
export const SIGN_KINDS = ['ask', 'announcement', 'doubt', 'warning', 'claim', 'tag', 'harmless'] as const

/** One of `SIGN_KINDS`. */
export type SignKind = (typeof SIGN_KINDS)[number]

/** One thing found in one sentence. */
export interface IntentSign {
  readonly kind: SignKind
  readonly required: boolean
  readonly level: RiskLevel
  readonly action: ActionType
  readonly scope: IntentScope
  /** Index into `Intent.sentences`; -1 for tags given beside the text. */
  readonly sentence: number
}

/** What an agent's words say about what it is about to do. The first four names are the wire's. */
export interface Intent {
  readonly confirmation_required: boolean
  readonly risk_level: RiskLevel
  readonly action_type: ActionType
  readonly scope: IntentScope
  /** Everything that was found, in the order of the text. */
  readonly signs: readonly IntentSign[]
  /** The sentences as they were read, quotations and code shown as such. */
  readonly sentences: readonly string[]
}

/** From where on an action counts as large or critical. */
export interface IntentThresholds {
  /** More records than this raise the level. */
  readonly records: number
  /** More money than this raises the level. */
  readonly amount: number
  /** Words that mean the real thing. */
  readonly productionWords: ReadonlySet<string>
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
