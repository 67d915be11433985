import { type FlagRow, type ProgramRow, programRow } from '../../../knowledge/programs.ts'
import { anyAbbreviation, anyFlag } from '../../arguments/flags.ts'
import { finding, type RiskFinding, sourced, usualUndo } from '../../report/finding.ts'
import type { RiskLevel } from '../../report/level.ts'
import type { PartFacts } from './assessor.ts'
import { rateVerbs } from './rate-verbs.ts'

/** Stable ids for rows without a `rule`. */
const RULES: Readonly<Record<RiskLevel, string>> = {
  none: 'plain.read',
  low: 'plain.small',
  medium: 'plain.changes',
  high: 'plain.dangerous',
  critical: 'plain.dangerous',
}

/** Rates a command by its row alone: by its verbs, or by its one answer and the flags that change it. */
export function rateRow(facts: PartFacts, row: ProgramRow = facts.row): RiskFinding {
  if (row.verbs !== undefined) return rateVerbs(facts, row)
  const flag = row.flags?.find((one) => hasAny(facts, one))
  const { level = 'high', undo = usualUndo(level), effect = 'is not fully known', rule, line } = flag ?? row
  return sourced(finding(level, rule ?? RULES[level], `${facts.program} ${effect}`, undo), row, line)
}

/** Rates a command as if it were one of another program. */
export function rateAs(name: string, facts: PartFacts): RiskFinding {
  const row = programRow(name)
  return row === undefined
    ? finding('high', 'plain.unknown', `\`${name}\` is not known`, 'unknown')
    : rateRow(facts, row)
}

function hasAny({ part }: PartFacts, { flags, words }: FlagRow): boolean {
  if (words !== undefined) return part.args.some(({ value }) => value === null || words.includes(value))
  return anyFlag(part, ...flags) || anyAbbreviation(part, ...flags)
}
