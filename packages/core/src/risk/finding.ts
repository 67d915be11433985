import type { RiskLevel } from './level.ts'
import type { RiskReport } from './report.ts'

export type Reversible = RiskReport['reversible']

/** One thing found about a call or a part of it. */
export interface RiskFinding {
  readonly level: RiskLevel
  /** Stable id, such as `files.recursive-delete`. */
  readonly rule: string
  /** A short sentence. Never carries an argument's value other than a program's name or a path. */
  readonly text: string
  readonly reversible: Reversible
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
): RiskFinding {
  return { level, rule, text, reversible }
}

const ORDER: readonly Reversible[] = ['yes', 'partly', 'unknown', 'no']

/** The hardest to undo of several. */
export function leastReversible(answers: Iterable<Reversible>): Reversible {
  let worst: Reversible = 'yes'
  for (const answer of answers) if (ORDER.indexOf(answer) > ORDER.indexOf(worst)) worst = answer
  return worst
}
