import { type FlagRow, type ProgramRow, programRow } from '../../../knowledge/programs.ts'
import { arityOfRow, readArgs } from '../../arguments/argument-parser.ts'
import { isShowable } from '../../arguments/displayable-name.ts'
import { type TypedOption, typedOptions } from '../../arguments/typed-options.ts'
import { type Extent, finding, type RiskFinding, sourced, usualUndo } from '../../report/finding.ts'
import type { RiskLevel } from '../../report/level.ts'
import type { PartFacts } from './assessor.ts'
import { rateVerbs, targetsAmong } from './rate-verbs.ts'

/** Stable ids for rows without a `rule`. */
const RULES: Readonly<Record<RiskLevel, string>> = {
  none: 'plain.read',
  low: 'plain.small',
  medium: 'plain.changes',
  high: 'plain.dangerous',
  critical: 'plain.dangerous',
}

type Power = Pick<FlagRow, 'level' | 'undo' | 'effect' | 'rule' | 'line'>

const POWERS = ['runs', 'settings', 'host'] as const
const POWER: Readonly<Record<(typeof POWERS)[number], Omit<Power, 'line'>>> = {
  runs: { level: 'high', undo: 'unknown', effect: 'runs the program it is given', rule: 'files.filter-powers' },
  settings: {
    level: 'medium',
    undo: 'unknown',
    effect: 'changes settings or reads them from a file',
    rule: 'plain.settings',
  },
  host: { level: 'medium', undo: 'yes', effect: 'reaches a host', rule: 'network.reach' },
}

/** Rates a command by its row alone: by its verbs, or by its one answer and the flags that change it. */
export function rateRow(facts: PartFacts, row: ProgramRow = facts.row): RiskFinding {
  if (row.verbs !== undefined) return rateVerbs(facts, row)
  const options = typedOptions(facts.part, row)
  const flag = row.flags?.find((one) => hasAny(facts, one, options)) ?? powerOf(row, options)
  const { level = 'high', undo = usualUndo(level), effect = 'is not fully known', rule, line } = flag ?? row
  const extent = row.target === undefined ? undefined : targetOf(facts, row)
  return sourced(finding(level, rule ?? RULES[level], `${facts.program} ${effect}`, undo, extent), row, line)
}

/** The word that a row without verbs names as the target. */
function targetOf({ part }: PartFacts, row: ProgramRow): Extent | undefined {
  const value = targetsAmong(readArgs(part, arityOfRow(row)).words, row)[0]?.value
  return typeof value === 'string' && isShowable(value) ? { reach: 'one', target: value } : undefined
}

/** Rates a command as if it were one of another program. */
export function rateAs(name: string, facts: PartFacts): RiskFinding {
  const row = programRow(name)
  return row === undefined
    ? finding('high', 'plain.unknown', `\`${name}\` is not known`, 'unknown')
    : rateRow(facts, row)
}

function hasAny({ part }: PartFacts, { flags, words, matches }: FlagRow, options: readonly TypedOption[]): boolean {
  if (matches !== undefined) {
    const pattern = new RegExp(matches)
    return part.args.some(({ value }) => value !== null && pattern.test(value))
  }
  if (words !== undefined) return part.args.some(({ value }) => value === null || words.includes(value))
  return options.some(({ name }) => flags.includes(name) || flags.includes(`${name}=`))
}

/** The answer for options that run a program or reach a host, where the row has none of its own. */
function powerOf(row: ProgramRow, options: readonly TypedOption[]): Power | undefined {
  if (row.level !== 'none' && row.level !== 'low') return undefined
  for (const type of POWERS) if (options.some((one) => one.type === type)) return { ...POWER[type], line: row.line }
  return undefined
}
