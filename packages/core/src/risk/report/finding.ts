import type { CommandPart } from '../../command/model/decomposition.ts'
import { CONTAINED } from '../../knowledge/compiled/commands.ts'
import type { OwnLayer } from '../../knowledge/own-knowledge.ts'
import { type RiskLevel, riskRank } from './level.ts'
import type { Reach, RiskReason, RiskReport } from './report.ts'

export type Reversible = RiskReport['reversible']

/** How much is affected at once, how many if known, and the path, branch, table or host. Never a secret. */
export interface Extent {
  readonly reach?: Reach
  readonly count?: number
  readonly target?: string
}

/** One fact about a call or a part of it. */
export interface RiskFinding {
  readonly level: RiskLevel
  /** Stable id, such as `files.recursive-delete`. */
  readonly rule: string
  /** A short clause about the effect. Repeats no argument values other than program names and paths. */
  readonly text: string
  readonly reversible: Reversible
  readonly extent?: Extent
  /** The row of knowledge that answered. */
  readonly source?: RowSource
}

/** Where a row of knowledge is written. */
export interface RowSource {
  /** `knowledge/programs/git.yaml`, or the file of an own row. */
  readonly file: string
  readonly line: number
  /** Whose own knowledge it is; absent: built in. */
  readonly layer?: OwnLayer
}

const USUAL: Readonly<Record<RiskLevel, Reversible>> = {
  none: 'yes',
  low: 'yes',
  medium: 'partly',
  high: 'partly',
  critical: 'no',
}

/** Makes a finding. Without `reversible`, the level decides. */
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

/** The one that is harder to undo. */
export function lessReversible(one: Reversible, other: Reversible): Reversible {
  return ORDER[other] > ORDER[one] ? other : one
}

/** The level of a finding inside the sandbox, which prevents part of the harm. */
function containedLevel({ level, rule }: RiskFinding): RiskLevel {
  if (level === 'none' || level === 'critical') return level
  if (CONTAINED.bounded.has(rule)) return 'low'
  if (level === 'high') return level
  if (CONTAINED.reads.has(rule)) return 'none'
  return CONTAINED.changes.has(rule) ? 'low' : level
}

/** Collects the findings about a command, part by part, and the reasons that the report shows. */
export class FindingCollector {
  readonly findings: RiskFinding[] = []
  readonly reasons: RiskReason[] = []
  /** The highest level of the current part. */
  level: RiskLevel = 'none'
  /** The same inside the sandbox. */
  contained: RiskLevel = 'none'
  /** Whether nothing about the current part suggests that it changes anything. */
  onlyReads = true
  /** Whether the current part runs code of the project. */
  runsProject = false
  /** Whether everything about the current part is a change of files that its words name. */
  changesFiles = true
  /** Whether everything about the current part is such a change, or one of a repository's own data. */
  changesRepository = true
  /** Before each reason of the current part. */
  #where = ''

  /** Starts a new part; `where` tells the place of one that is written in a file. */
  begin(where = ''): void {
    this.#where = where
    this.level = 'none'
    this.contained = 'none'
    this.onlyReads = true
    this.runsProject = false
    this.changesFiles = true
    this.changesRepository = true
  }

  /** Adds a finding about a span of the command. A harmless finding is not a reason. */
  add(found: RiskFinding, span: CommandPart['span']): void {
    this.findings.push(found)
    const { level } = found
    if (level === 'none') return
    if (riskRank(level) > riskRank(this.level)) this.level = level
    const inside = containedLevel(found)
    if (riskRank(inside) > riskRank(this.contained)) this.contained = inside
    if (inside !== 'none') this.onlyReads = false
    if (CONTAINED.projectCode.has(found.rule)) this.runsProject = true
    const isHigh = level === 'high' || level === 'critical'
    if (isHigh || !CONTAINED.fileChanges.has(found.rule)) {
      this.changesFiles = false
      if (isHigh || !CONTAINED.repositoryChanges.has(found.rule)) this.changesRepository = false
    }
    this.reasons.push({ level, rule: found.rule, text: `${this.#where}${found.text}`, span })
  }
}
