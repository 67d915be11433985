import type { RiskLevel } from './level.ts'
import type { Reach, RiskReport } from './report.ts'

export type Reversible = RiskReport['reversible']

/** What is acted on: how much at once, how many where that is said, and which path, branch, table or host. No secret. */
export interface Extent {
  readonly reach?: Reach
  readonly count?: number
  readonly target?: string
}

/** One thing found about a call or a part of it. */
export interface RiskFinding {
  readonly level: RiskLevel
  /** Stable id, such as `files.recursive-delete`. */
  readonly rule: string
  /** A short sentence. Never carries an argument's value other than a program's name or a path. */
  readonly text: string
  readonly reversible: Reversible
  readonly extent?: Extent
  /** The row of knowledge that answered. */
  readonly source?: RowSource
}

/** Where a row of knowledge is written. */
export interface RowSource {
  /** `knowledge/programs/git.yaml` */
  readonly file: string
  readonly line: number
}

const USUAL: Readonly<Record<RiskLevel, Reversible>> = {
  none: 'yes',
  low: 'yes',
  medium: 'partly',
  high: 'partly',
  critical: 'no',
}

/** Makes a finding; what can be undone follows the level unless said. */
export function finding(
  level: RiskLevel,
  rule: string,
  text: string,
  reversible: Reversible = USUAL[level],
  extent?: Extent,
): RiskFinding {
  return extent === undefined ? { level, rule, text, reversible } : { level, rule, text, reversible, extent }
}

/** Whether an effect of a level can usually be undone. */
export function usualUndo(level: RiskLevel): Reversible {
  return USUAL[level]
}

/** A finding with the row that answered; the line is that of the whole row unless given. */
export function sourced(found: RiskFinding, { file, line }: RowSource, at = line): RiskFinding {
  return { ...found, source: { file, line: at } }
}

const ORDER: Readonly<Record<Reversible, number>> = { yes: 0, partly: 1, unknown: 2, no: 3 }

/** The harder to undo of two. */
export function lessReversible(one: Reversible, other: Reversible): Reversible {
  return ORDER[other] > ORDER[one] ? other : one
}
