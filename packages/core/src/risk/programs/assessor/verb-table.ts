import type { CommandPart } from '../../../command/model/decomposition.ts'
import { lowerCase } from '../../../command/programs/lower-case.ts'
import {
  type Arity,
  arityOf,
  hasOption,
  hasShortened,
  isDry,
  type Reading,
  readArgs,
} from '../../arguments/argument-parser.ts'
import { isShowable } from '../../arguments/displayable-name.ts'
import { wordSet } from '../../arguments/word-set.ts'
import { type Extent, finding, type Reversible, type RiskFinding } from '../../report/finding.ts'
import { type RiskLevel, riskRank } from '../../report/level.ts'
import type { Reach } from '../../report/report.ts'
import type { Assess, PartFacts } from './assessor.ts'
import { actsOnProduction } from './production-target.ts'
import { shapeOf, type VerbShape } from './verb-shape.ts'

/** Verbs that do the same: `volume rm, volume prune`. The longest that fits a command counts. */
export type VerbRow = readonly [
  level: RiskLevel,
  back: Reversible,
  says: string,
  verbs: string,
  reach?: Reach | undefined,
]

/** What a flag behind a verb makes of it, higher or lower. */
export interface FlagRow {
  /** Verbs it holds for, separated by `, `; all when absent. */
  readonly verbs?: string
  /** Separated by spaces. */
  readonly flags: string
  readonly level: RiskLevel
  readonly back: Reversible
  readonly says: string
  readonly reach?: Reach
}

/** A program's verbs as data. */
export interface VerbTable {
  readonly family: string
  readonly rows: readonly VerbRow[]
  readonly flags?: readonly FlagRow[]
  /** The program whose options before the verb count, where it is not the program's own name. */
  readonly as?: string
  /** Whether the options before the verb hold behind it too. */
  readonly globals?: 'anywhere' | 'first'
  /** Options with a value, besides those of `verb-table.ts`. */
  readonly valued?: string
  /** Options without one. */
  readonly plain?: string
  /** Long options have one dash. */
  readonly oneDash?: boolean
  /** Options under which nothing happens, besides `--dry-run`. */
  readonly dry?: string
  /** For a verb in no row whose shape says nothing. */
  readonly otherwise?: RiskLevel
  /** What the shape of a verb in no row may say; `whole` when absent. */
  readonly shape?: VerbShape
  /** The first word is a group or a service, never the verb. */
  readonly groups?: boolean
  /** Without any verb. */
  readonly bare?: readonly [RiskLevel, string]
  /** Options that name what is acted on, where no word does. */
  readonly names?: string
}

/** A table made ready for looking up. */
interface Ready {
  readonly table: VerbTable
  readonly verbs: ReadonlyMap<string, VerbRow>
  /** The words of the longest verb that begins with a word. */
  readonly longest: ReadonlyMap<string, number>
  readonly flags: readonly {
    readonly row: FlagRow
    readonly verbs: ReadonlySet<string> | null
    readonly names: ReadonlySet<string>
  }[]
  readonly names: ReadonlySet<string>
  readonly dry: ReadonlySet<string>
}

/** What a command was found to do, and where its verb ends among the arguments. */
export interface RatedVerb {
  readonly finding: RiskFinding
  readonly verb: string | null
  readonly reading: Reading
  readonly from: number
}

const MAX_VERB = 4

/** An assessor made of a table of verbs. */
export function byRows(table: VerbTable): Assess {
  const rate = verbRater(table)
  return (facts) => rate(facts).finding
}

/** As `byRows`, for assessors that look further at what was read. */
export function verbRater(table: VerbTable): (facts: PartFacts) => RatedVerb {
  const ready = prepare(table)
  const arities = new Map<string, Arity>()
  return (facts) => {
    const { program } = facts
    let arity = arities.get(program)
    if (arity === undefined) {
      const known = arityOf(table.as ?? program, wordSet(table.valued ?? ''), wordSet(table.plain ?? ''), table.globals)
      arity = table.oneDash === true ? { ...known, oneDash: true } : known
      arities.set(program, arity)
    }
    const first = rateReading(ready, facts, readArgs(facts.part, arity))
    if (first.reading.doubt >= first.from) return first
    // An option nobody listed stands before the verb: the worse of both ways to read it counts.
    const second = rateReading(ready, facts, readArgs(facts.part, arity, 'value'))
    return riskRank(second.finding.level) > riskRank(first.finding.level) ? second : first
  }
}

function prepare(table: VerbTable): Ready {
  const verbs = new Map<string, VerbRow>()
  for (const row of table.rows) for (const verb of row[3].split(',')) verbs.set(verb.trim(), row)
  const flags = (table.flags ?? []).map((row) => ({
    row,
    verbs: row.verbs === undefined ? null : new Set(row.verbs.split(',').map((verb) => verb.trim())),
    names: wordSet(row.flags),
  }))
  const longest = new Map<string, number>()
  for (const verb of verbs.keys()) {
    const words = verb.split(' ')
    const first = words[0] ?? ''
    longest.set(first, Math.min(MAX_VERB, Math.max(words.length, longest.get(first) ?? 0)))
  }
  return { table, verbs, longest, flags, names: wordSet(table.names ?? '--name'), dry: wordSet(table.dry ?? '') }
}

function rateReading(ready: Ready, { part, program }: PartFacts, reading: Reading): RatedVerb {
  const { table, verbs } = ready
  const { family } = table
  const first = reading.words[0]
  if (first === undefined) {
    const [level, says] = table.bare ?? ['none', 'is given no command']
    const raised = flagOf(ready, reading, null, 0, level)
    if (raised !== null)
      return rated(ready, part, program, reading, null, 0, [raised.level, raised.back, raised.says, '', raised.reach])
    return { finding: finding(level, `${family}.bare`, `${program} ${says}`), verb: null, reading, from: 0 }
  }
  if (isDry(reading, ready.dry))
    return {
      finding: finding('none', `${family}.dry-run`, `${program} only shows what it would do`),
      verb: null,
      reading,
      from: 0,
    }
  if (first.value === null) {
    const unknown = finding('high', `${family}.unknown`, `what ${program} is told to do is not known`, 'unknown')
    return { finding: unknown, verb: null, reading, from: part.args.length }
  }
  const names: string[] = []
  for (let at = 0; at < reading.words.length && at < MAX_VERB; at++) {
    const value = reading.words[at]?.value ?? null
    if (value === null) break
    names.push(lowerCase(value))
  }
  const head = names[0] ?? ''
  for (let count = Math.min(names.length, ready.longest.get(head) ?? 0); count > 0; count--) {
    const verb = count === 1 ? head : names.slice(0, count).join(' ')
    const row = verbs.get(verb)
    if (row === undefined) continue
    const from = (reading.words[count - 1]?.at ?? 0) + 1
    const raised = flagOf(ready, reading, verb, from, row[0])
    const now: VerbRow = raised === null ? row : [raised.level, raised.back, raised.says, '', raised.reach ?? row[4]]
    return rated(ready, part, program, reading, verb, from, now)
  }
  const shape = shapeOf(
    table.groups === true ? behindGroup(names) : names,
    table.otherwise ?? 'medium',
    table.shape ?? 'whole',
  )
  return rated(ready, part, program, reading, null, first.at + 1, shape)
}

function rated(
  ready: Ready,
  part: CommandPart,
  program: string,
  reading: Reading,
  verb: string | null,
  from: number,
  [level, back, says, , reach]: VerbRow,
): RatedVerb {
  const risen = raisedByPlace(level, back, part, reading)
  const where = risen.production ? ', in production' : ''
  const text = verb === null ? `${program} ${says}${where}` : `${program} ${verb} ${says}${where}`
  const rule = `${ready.table.family}.${risen.level}`
  const extent = level === 'none' ? undefined : extentOf(ready, reading, verb, from, reach)
  return { finding: finding(risen.level, rule, text, back, extent), verb, reading, from }
}

/** `run services list`, `beta run services list`: the group is no verb, whatever it is called. */
function behindGroup(names: readonly string[]): readonly string[] {
  const from = names[0] === 'alpha' || names[0] === 'beta' ? 2 : 1
  return names.length > from ? names.slice(from) : names
}

/** Production makes a small change a larger one; what only reads stays what it is. */
function raisedByPlace(
  level: RiskLevel,
  back: Reversible,
  part: CommandPart,
  reading: Reading,
): { level: RiskLevel; production: boolean } {
  const production = level !== 'none' && actsOnProduction(part, reading)
  if (!production || back === 'yes') return { level, production }
  return { level: level === 'medium' ? 'high' : level === 'low' ? 'medium' : level, production }
}

function flagOf(ready: Ready, reading: Reading, verb: string | null, from: number, level: RiskLevel): FlagRow | null {
  let worst: FlagRow | null = null
  if (reading.options.length === 0) return worst
  for (const { row, verbs, names } of ready.flags) {
    if (verbs !== null && (verb === null || !verbs.has(verb))) continue
    const behind = verbs === null ? 0 : from
    // A shortened flag counts where it makes things worse: `--forc`.
    const shortened = riskRank(row.level) > riskRank(level) && hasShortened(reading, names, behind)
    if (!shortened && !hasOption(reading, names, behind)) continue
    if (worst === null || riskRank(row.level) > riskRank(worst.level)) worst = row
  }
  return worst
}

const SECRETIVE = /pass|token|secret|auth|login|cred|api-?key|insert|private/i

/** Whether a word stands behind an option whose value may be a secret. */
function isCovered({ options }: Reading, at: number): boolean {
  for (const option of options) if (option.at + 1 === at && SECRETIVE.test(option.name)) return true
  return false
}

/** What is acted on: the words behind the verb, or an option that names it. Unlisted commands go by the option first. */
function extentOf(
  ready: Ready,
  reading: Reading,
  verb: string | null,
  from: number,
  reach: Reach | undefined,
): Extent | undefined {
  const behind = reading.words.filter(({ at }) => at >= from)
  // Without a row nobody knows where the verb ends; the last word is the name, if there is one.
  const words = verb === null ? behind.slice(1).slice(-1) : behind
  let named: string | null = null
  let unknown = false
  for (const { value, at } of words) {
    if (value === null) unknown = true
    else if (named === null && isShowable(value) && !isCovered(reading, at)) named = value
  }
  // What stands behind `login`, `--password` and their like may be the secret itself.
  if (named !== null && verb !== null && SECRETIVE.test(verb)) named = null
  const option = namingOption(ready, reading)
  const target = verb === null ? (option ?? named) : (named ?? option)
  const how: Reach | undefined =
    reach ?? (unknown ? 'unknown' : words.length > 1 ? 'several' : target === null ? undefined : 'one')
  if (how === undefined) return target === null ? undefined : { target }
  return target === null ? { reach: how } : { reach: how, target }
}

function namingOption(ready: Ready, { options }: Reading): string | null {
  for (const { name, value } of options)
    if (ready.names.has(name) && typeof value === 'string' && isShowable(value)) return value
  return null
}
