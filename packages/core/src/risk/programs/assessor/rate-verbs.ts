import type { CommandPart } from '../../../command/model/decomposition.ts'
import { lowerCase } from '../../../command/programs/program-names.ts'
import { type FlagRow, type ProgramRow, type VerbGroup, valuedOptions } from '../../../knowledge/programs.ts'
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
import { type Extent, finding, type Reversible, type RiskFinding, sourced, usualUndo } from '../../report/finding.ts'
import { type RiskLevel, riskRank } from '../../report/level.ts'
import type { Reach } from '../../report/report.ts'
import type { PartFacts } from './assessor.ts'
import { actsOnProduction } from './production-target.ts'
import { shapeOf } from './verb-shape.ts'

/** A row's verbs and flags, prepared for lookups. */
interface Prepared {
  readonly row: ProgramRow
  readonly rule: string
  readonly verbs: ReadonlyMap<string, VerbGroup>
  /** The words of the longest verb that begins with a word. */
  readonly longest: ReadonlyMap<string, number>
  readonly flags: readonly {
    readonly row: FlagRow
    readonly verbs: ReadonlySet<string> | null
    readonly names: ReadonlySet<string>
  }[]
  readonly names: ReadonlySet<string>
  readonly dryRun: ReadonlySet<string>
  /** How each program of the row reads its options. */
  readonly arities: Map<string, Arity>
}

/** An answer by a verb group, a flag row or the form of a verb. */
type Answer = Pick<VerbGroup, 'level' | 'effect' | 'reach' | 'undo'> & { readonly line?: number }

/** What a command was found to do, and where its verb ends among the arguments. */
export interface RatedVerb {
  readonly finding: RiskFinding
  readonly verb: string | null
  readonly reading: Reading
  readonly from: number
  /** Whether a row under `flags:` gave the answer. */
  readonly byFlag?: boolean
}

const MAX_VERB = 4

/** Rates a command by the verbs of its program's row, or of another row. */
export function rateVerbs(facts: PartFacts, row: ProgramRow = facts.row): RiskFinding {
  return matchVerb(facts, row).finding
}

/** As `rateVerbs`, for raters that look further at what was read. */
export function matchVerb(facts: PartFacts, row: ProgramRow = facts.row): RatedVerb {
  const prepared = prepare(row)
  const arity = arityFor(prepared, facts.program)
  const first = rateReading(prepared, facts, readArgs(facts.part, arity))
  if (first.reading.doubt >= first.from) return first
  // An unlisted option stands before the verb and may take the next word: the worse of both readings counts.
  const second = rateReading(prepared, facts, readArgs(facts.part, arity, 'value'))
  return riskRank(second.finding.level) > riskRank(first.finding.level) ? second : first
}

const PREPARED = new WeakMap<ProgramRow, Prepared>()

function prepare(row: ProgramRow): Prepared {
  const known = PREPARED.get(row)
  if (known !== undefined) return known
  const verbs = new Map<string, VerbGroup>()
  for (const group of row.verbs ?? []) for (const verb of group.verbs) verbs.set(verb, group)
  const flags = (row.flags ?? []).map((flag) => ({
    row: flag,
    verbs: flag.verbs === undefined ? null : new Set(flag.verbs),
    names: new Set(flag.flags),
  }))
  const longest = new Map<string, number>()
  for (const verb of verbs.keys()) {
    const words = verb.split(' ')
    const first = words[0] ?? ''
    longest.set(first, Math.min(MAX_VERB, Math.max(words.length, longest.get(first) ?? 0)))
  }
  const prepared: Prepared = {
    row,
    rule: row.rule ?? 'plain',
    verbs,
    longest,
    flags,
    names: new Set(row.target_options ?? ['--name']),
    dryRun: new Set(row.dry_run),
    arities: new Map(),
  }
  PREPARED.set(row, prepared)
  return prepared
}

function arityFor({ row, arities }: Prepared, program: string): Arity {
  let arity = arities.get(program)
  if (arity === undefined) {
    const options = row.options ?? {}
    const known = arityOf(
      row.options_of ?? program,
      valuedOptions(options),
      new Set(options.flag),
      row.options_before_verb_only === true ? 'first' : 'anywhere',
    )
    arity = row.single_dash === true ? { ...known, oneDash: true } : known
    arities.set(program, arity)
  }
  return arity
}

function rateReading(prepared: Prepared, { part, program }: PartFacts, reading: Reading): RatedVerb {
  const { row, verbs, rule } = prepared
  const first = reading.words[0]
  if (first === undefined) {
    const { level, effect, line } = row.no_verb ?? { level: 'none', effect: 'runs without a command', line: row.line }
    const raised = flagOf(prepared, reading, null, 0, level)
    if (raised !== null) return rated(prepared, part, program, reading, null, 0, raised)
    const bare = sourced(finding(level, `${rule}.bare`, `${program} ${effect}`), row, line)
    return { finding: bare, verb: null, reading, from: 0 }
  }
  if (isDry(reading, prepared.dryRun))
    return {
      finding: finding('none', `${rule}.dry-run`, `${program} only shows what it would do`),
      verb: null,
      reading,
      from: 0,
    }
  if (first.value === null) {
    const unknown = finding('high', `${rule}.unknown`, `the effect of ${program} is unknown`, 'unknown')
    return { finding: unknown, verb: null, reading, from: part.args.length }
  }
  const names: string[] = []
  for (let at = 0; at < reading.words.length && at < MAX_VERB; at++) {
    const value = reading.words[at]?.value ?? null
    if (value === null) break
    names.push(lowerCase(value))
  }
  const head = names[0] ?? ''
  for (let count = Math.min(names.length, prepared.longest.get(head) ?? 0); count > 0; count--) {
    const verb = count === 1 ? head : names.slice(0, count).join(' ')
    const group = verbs.get(verb)
    if (group === undefined) continue
    const from = (reading.words[count - 1]?.at ?? 0) + 1
    const raised = flagOf(prepared, reading, verb, from, group.level)
    const reach = raised?.reach ?? group.reach
    const answer: Answer = raised === null ? group : reach === undefined ? raised : { ...raised, reach }
    return { ...rated(prepared, part, program, reading, verb, from, answer), byFlag: raised !== null }
  }
  const shape = shapeOf(
    row.first_word === 'group' ? behindGroup(names) : names,
    row.unlisted ?? 'medium',
    row.verb_shape ?? 'whole',
  )
  return rated(prepared, part, program, reading, null, first.at + 1, shape)
}

function rated(
  prepared: Prepared,
  part: CommandPart,
  program: string,
  reading: Reading,
  verb: string | null,
  from: number,
  { level, undo = usualUndo(level), effect, reach, line }: Answer,
): RatedVerb {
  const { row } = prepared
  const raised = raisedByPlace(level, undo, part, reading)
  const where = raised.production ? ', in production' : ''
  const text = verb === null ? `${program} ${effect}${where}` : `${program} ${verb} ${effect}${where}`
  const extent = level === 'none' ? undefined : extentOf(prepared, reading, verb, from, reach)
  const found = finding(raised.level, `${prepared.rule}.${raised.level}`, text, undo, extent)
  return { finding: sourced(found, row, line), verb, reading, from }
}

/** `run services list`, `beta run services list`: the group is not the verb, whatever its name. */
function behindGroup(names: readonly string[]): readonly string[] {
  const from = names[0] === 'alpha' || names[0] === 'beta' ? 2 : 1
  return names.length > from ? names.slice(from) : names
}

/** Raises a change by one level in production; reads stay as they are. */
function raisedByPlace(
  level: RiskLevel,
  undo: Reversible,
  part: CommandPart,
  reading: Reading,
): { level: RiskLevel; production: boolean } {
  const production = level !== 'none' && actsOnProduction(part, reading)
  if (!production || undo === 'yes') return { level, production }
  return { level: level === 'medium' ? 'high' : level === 'low' ? 'medium' : level, production }
}

function flagOf(
  prepared: Prepared,
  reading: Reading,
  verb: string | null,
  from: number,
  level: RiskLevel,
): FlagRow | null {
  let worst: FlagRow | null = null
  if (reading.options.length === 0) return worst
  for (const { row, verbs, names } of prepared.flags) {
    if (verbs !== null && (verb === null || !verbs.has(verb))) continue
    const behind = verbs === null ? 0 : from
    // A shortened flag counts only if it raises the level: `--forc`.
    const shortened = riskRank(row.level) > riskRank(level) && hasShortened(reading, names, behind)
    if (!shortened && !hasOption(reading, names, behind)) continue
    if (worst === null || riskRank(row.level) > riskRank(worst.level)) worst = row
  }
  return worst
}

const SECRETIVE = /pass|token|secret|auth|login|cred|api-?key|insert|private/i

/** Whether a word follows an option whose value may be a secret. */
function isCovered({ options }: Reading, at: number): boolean {
  for (const option of options) if (option.at + 1 === at && SECRETIVE.test(option.name)) return true
  return false
}

/** What is acted on: the words after the verb, or an option that names it. For unlisted verbs the option comes first. */
function extentOf(
  prepared: Prepared,
  reading: Reading,
  verb: string | null,
  from: number,
  reach: Reach | undefined,
): Extent | undefined {
  const behind = reading.words.filter(({ at }) => at >= from)
  // Where an unlisted verb ends is not known; the last word is taken as the name.
  const words = verb === null ? behind.slice(1).slice(-1) : targetsAmong(behind, prepared.row)
  let named: string | null = null
  let unknown = false
  for (const { value, at } of words) {
    if (value === null) unknown = true
    else if (named === null && isShowable(value) && !isCovered(reading, at)) named = value
  }
  // The word after `login`, `--password` and similar may be the secret itself.
  if (named !== null && verb !== null && SECRETIVE.test(verb)) named = null
  const option = namingOption(prepared, reading)
  const target = verb === null ? (option ?? named) : (named ?? option)
  const how: Reach | undefined =
    reach ?? (unknown ? 'unknown' : words.length > 1 ? 'several' : target === null ? undefined : 'one')
  if (how === undefined) return target === null ? undefined : { target }
  return target === null ? { reach: how } : { reach: how, target }
}

/** The words that name what is acted on. */
export function targetsAmong<T>(words: readonly T[], { target }: ProgramRow): readonly T[] {
  return target === undefined ? words : words.slice(target - 1, target)
}

function namingOption(prepared: Prepared, { options }: Reading): string | null {
  for (const { name, value } of options)
    if (prepared.names.has(name) && typeof value === 'string' && isShowable(value)) return value
  return null
}
