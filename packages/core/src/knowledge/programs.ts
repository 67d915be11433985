import {
  BEFORE_VERB,
  KNOWN_PACKAGES,
  OPTION_TABLE_NAMES,
  OPTION_TABLES,
  PRINTS,
  PROGRAM_NAMES,
  PROGRAMS,
  type RaterName,
  type RowLists,
} from './compiled/programs.ts'

export type { RaterName } from './compiled/programs.ts'

type Level = 'none' | 'low' | 'medium' | 'high' | 'critical'
type Undo = 'yes' | 'partly' | 'no' | 'unknown'
type Reach = 'one' | 'several' | 'many' | 'all' | 'unknown'

/** What an option does with its value; `flag` takes none. */
export type OptionType = 'flag' | 'value' | 'reads' | 'writes' | 'runs' | 'host' | 'settings'

/** Options by type. A name that ends in `=` takes its value only in the same word. */
export type TypedOptions = { readonly [type in OptionType]?: readonly string[] }

/** An answer, and the line of the row that gives it. */
interface Answer {
  readonly level: Level
  readonly undo?: Undo
  /** A clause that follows the program's name and its verb. */
  readonly effect: string
  readonly reach?: Reach
  readonly line: number
}

/** Verbs with the same answer: `volume rm`, `volume prune`. The longest that fits a command counts. */
export interface VerbGroup extends Answer {
  readonly verbs: readonly string[]
}

/** What a flag changes the answer to, higher or lower. */
export interface FlagRow extends Answer {
  /** Verbs it counts behind; any when absent. */
  readonly verbs?: readonly string[]
  readonly flags: readonly string[]
  /** Words that count as the flag, and so does a word that is not known. */
  readonly words?: readonly string[]
  /** A regular expression; any argument that it matches counts as the flag. */
  readonly matches?: string
  readonly rule?: string
}

/** A program, or several that answer alike: one entry of `knowledge/programs`. */
export interface ProgramRow {
  /** `knowledge/programs/git.yaml` */
  readonly file: string
  readonly line: number
  readonly rule?: string
  readonly level?: Level
  readonly undo?: Undo
  readonly effect?: string
  readonly verbs?: readonly VerbGroup[]
  readonly flags?: readonly FlagRow[]
  readonly unlisted?: Level
  readonly verb_shape?: 'whole' | 'compound' | 'closed'
  readonly first_word?: 'group'
  readonly no_verb?: { readonly level: Level; readonly effect: string; readonly line: number }
  readonly dry_run?: readonly string[]
  readonly target_options?: readonly string[]
  readonly single_dash?: true
  readonly abbreviates?: true
  readonly options_of?: string
  readonly options_before_verb_only?: true
  readonly options?: TypedOptions
  readonly target?: number
  readonly project_tool?: true | readonly string[]
  readonly rater?: RaterName
  readonly lists?: Readonly<Record<string, readonly string[]>>
}

/** What stands between the names of programs and their verbs. */
export interface BeforeVerb extends TypedOptions {
  readonly groups?: 'every' | readonly string[]
  /** True of a program that only takes another's options. */
  readonly alias?: true
}

/**
 * The options of a program, or of some of its verbs, from its manual. What is in no table is not understood, and is at least
 * medium.
 */
export interface OptionTable extends TypedOptions {
  readonly verbs?: readonly string[]
  /** What the words prove, if every option is known: that it only reads, which paths it changes, or that it is a known use of git. */
  readonly proof?: 'reads' | 'words' | 'repository'
  /** Where it does more than read, the proof `repository` applies. */
  readonly changes?: 'repository'
  /** The proof holds only if the repository's settings run nothing. */
  readonly depends_on?: 'repository' | 'npmrc'
  /** Options of the type `runs` whose code a rater reads. */
  readonly read_by_rater?: readonly string[]
  /** Options that the proof does not cover. */
  readonly unproven?: readonly string[]
  /** The only options that the proof covers. */
  readonly proven?: readonly string[]
  /** A regular expression that every word must match for the proof. */
  readonly proven_words?: string
  /** A regular expression for values that the proof does not cover. */
  readonly unproven_values?: string
  /** A regular expression that every variable before the command must match for the proof, as `NAME=value`. */
  readonly variables?: string
  /** A regular expression for words that the proof does not cover. */
  readonly unproven_words?: string
  /** What the words are, options and verbs aside; `files` when absent. */
  readonly words?: 'files' | 'pattern' | 'unread'
  /** With one of these options there is no word for the pattern. */
  readonly pattern_options?: readonly string[]
  /** Options that take two words; the second has the type of the option. */
  readonly two_values?: readonly string[]
  readonly words_end_options?: true
  /** Options behind which no more follow: `python -m`. */
  readonly then_words?: readonly string[]
  readonly other_dashes?: 'text'
  readonly single_dash?: true
  readonly detached_values?: true
}

/** Packages that `npx` and similar may fetch and run, besides the tools with a row. */
export interface KnownPackages {
  readonly tools: readonly string[]
  readonly scaffolds: readonly string[]
  readonly programs: Readonly<Record<string, string>>
}

// Rows are found and parsed one at a time, on first use: a command asks for one or two of them.
const found = new Map<string, ProgramRow>()
const rows: (ProgramRow | undefined)[] = []
let befores: Readonly<Record<string, BeforeVerb>> | undefined
let packages: KnownPackages | undefined

/** The row of a program; undefined when nothing is known of it. */
export function programRow(name: string): ProgramRow | undefined {
  const known = found.get(name)
  if (known !== undefined) return known
  const at = rowNumber(name)
  if (at === undefined) return undefined
  const row = rows[at] ?? (JSON.parse(PROGRAMS[at] ?? '') as ProgramRow)
  rows[at] = row
  found.set(name, row)
  return row
}

/** Searches of the list of names before an index of it pays. Most words of commands are names of no program. */
const MOST_SEARCHES = 64
let searches = 0
let numbers: ReadonlyMap<string, number> | undefined

function rowNumber(name: string): number | undefined {
  if (numbers !== undefined) return numbers.get(name)
  searches += 1
  if (searches > MOST_SEARCHES) {
    numbers = new Map(entries())
    return numbers.get(name)
  }
  const start = name === '' || /\s/.test(name) ? -1 : PROGRAM_NAMES.indexOf(` ${name}=`)
  if (start === -1) return undefined
  return Number.parseInt(PROGRAM_NAMES.slice(start + name.length + 2, start + name.length + 8), 10)
}

/** Every name with the number of its row. */
function entries(): [string, number][] {
  return PROGRAM_NAMES.trim()
    .split(' ')
    .map((entry) => {
      const equals = entry.lastIndexOf('=')
      return [entry.slice(0, equals), Number.parseInt(entry.slice(equals + 1), 10)]
    })
}

/** Every program by name, in the order of the files. */
export function programNames(): readonly string[] {
  return entries().map(([name]) => name)
}

/** The options of a program before its verb, and its groups of verbs. */
export function beforeVerb(program: string): BeforeVerb | undefined {
  befores ??= JSON.parse(BEFORE_VERB) as Readonly<Record<string, BeforeVerb>>
  return Object.hasOwn(befores, program) ? befores[program] : undefined
}

let tables: Readonly<Record<string, readonly number[]>> | undefined
const parsedTables = new Map<number, OptionTable>()
const tablesOf = new Map<string, readonly OptionTable[]>()

/** The option tables of a program. */
export function optionTables(program: string): readonly OptionTable[] {
  const known = tablesOf.get(program)
  if (known !== undefined) return known
  tables ??= JSON.parse(OPTION_TABLE_NAMES) as Readonly<Record<string, readonly number[]>>
  const found = (Object.hasOwn(tables, program) ? (tables[program] ?? []) : []).map(parsedTable)
  if (found.length > 0) tablesOf.set(program, found)
  return found
}

function parsedTable(at: number): OptionTable {
  const table = parsedTables.get(at) ?? (JSON.parse(OPTION_TABLES[at] ?? '') as OptionTable)
  parsedTables.set(at, table)
  return table
}

let prints: Readonly<Record<string, readonly string[]>> | undefined

/** The command lines with which a program only prints, without its name. */
export function printedLines(program: string): readonly string[] {
  prints ??= JSON.parse(PRINTS) as Readonly<Record<string, readonly string[]>>
  return Object.hasOwn(prints, program) ? (prints[program] ?? []) : []
}

/** Packages that runners of packages know. */
export function knownPackages(): KnownPackages {
  packages ??= JSON.parse(KNOWN_PACKAGES) as KnownPackages
  return packages
}

const lists = new Map<string, Map<string, ReadonlySet<string>>>()

/** A list of words of a program's row, by its name. */
export function rowList<P extends keyof RowLists>(program: P, list: RowLists[P]): ReadonlySet<string> {
  const known = lists.get(program)?.get(list)
  if (known !== undefined) return known
  const words = new Set(programRow(program)?.lists?.[list])
  const own = lists.get(program) ?? new Map<string, ReadonlySet<string>>()
  lists.set(program, own.set(list, words))
  return words
}

const valued = new WeakMap<TypedOptions, ReadonlySet<string>>()

/** Options that take a value in the next word. */
export function valuedOptions(options: TypedOptions): ReadonlySet<string> {
  let names = valued.get(options)
  if (names === undefined) {
    const { value = [], reads = [], writes = [], runs = [], host = [], settings = [] } = options
    const all = [value, reads, writes, runs, host, settings].flat()
    names = new Set(all.filter((name) => !name.endsWith('=')))
    valued.set(options, names)
  }
  return names
}

const NO_OPTIONS: TypedOptions = {}

/** The same for a program, by its name. */
export function valuedOptionsOf(program: string): ReadonlySet<string> {
  return valuedOptions(programRow(program)?.options ?? NO_OPTIONS)
}

/** The same without those of one type. Not cached. */
export function valuedOptionsExcept(type: OptionType, program: string): ReadonlySet<string> {
  return valuedOptions({ ...programRow(program)?.options, [type]: [] })
}
