import type { RiskLevel } from '../../risk/report/level.ts'
import type { ActionType } from '../model/intent.ts'
import type { Thing } from '../model/thing.ts'

/** How bad an action is, by what it is done to. The first thing named that the object is, counts. */
export interface Profile {
  readonly action: Exclude<ActionType, `batch_${string}`>
  readonly by: readonly (readonly [Thing, RiskLevel])[]
  /** What it is done to is not known, or not said. */
  readonly else: RiskLevel
  /** In production at least this. */
  readonly production: RiskLevel
  /** Money makes it this by itself. */
  readonly money?: RiskLevel
  /** How high it stays in a test environment. */
  readonly sandbox: RiskLevel
}

/** Parts of a program, and what is made again at will. */
export const LOW_PARTS = [
  ['code', 'low'],
  ['scratch', 'low'],
] as const

/** A row of the tables: the action, its levels by thing, otherwise, in production, in a test environment, with money. */
export function profile(
  action: Profile['action'],
  by: Profile['by'],
  rest: RiskLevel,
  production: RiskLevel,
  sandbox: RiskLevel = 'low',
  money?: RiskLevel,
): Profile {
  return { action, by, else: rest, production, sandbox, ...(money === undefined ? {} : { money }) }
}
