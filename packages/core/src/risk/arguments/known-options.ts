import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { isVerbGroup } from '../../command/programs/global-options.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { findVerb } from '../../command/programs/subcommand.ts'
import type { OptionTable, OptionType, ProgramRow } from '../../knowledge/programs.ts'
import { type Entries, type Entry, HARMLESS, knownOf, rankOf } from './option-entries.ts'

/** An option that the program's table lists, with its value; null without one. */
export interface KnownOption {
  readonly name: string
  readonly type: OptionType
  readonly value: CommandWord | null
  /** Known only by an option table: the row that rates the program does not list it. */
  readonly ofTable: boolean
  /** False if the name is short for several options, which then counts as the worst, or if no table of the program lists it. */
  readonly isSure: boolean
}

/** An option that is in no table. Its value is attached, or may be the next word. */
export interface UnknownOption {
  readonly name: string
  readonly value: CommandWord | null
}

/** The words of a command, read by the program's option tables. */
export interface OptionReading {
  /** The verb, with its group: `remote show`; empty without one. */
  readonly verb: string
  readonly tables: readonly OptionTable[]
  readonly known: readonly KnownOption[]
  readonly unknown: readonly UnknownOption[]
  /** Words that are no options and no values, with the verb. */
  readonly words: readonly CommandWord[]
}

const READINGS = new WeakMap<CommandPart, OptionReading>()

/** Reads a command's words by the tables of its program and its verb. */
export function optionsOf(part: CommandPart, row: ProgramRow): OptionReading {
  let reading = READINGS.get(part)
  if (reading === undefined) {
    const program = lowerCase(part.program ?? '')
    reading = readOptions(part, row, program, verbOf(part, program))
    READINGS.set(part, reading)
  }
  return reading
}

/** The table of the program, or of exactly this verb, if its words prove anything. */
export function provingTable({ verb, tables }: OptionReading): OptionTable | null {
  const [first] = tables
  const table = first?.verbs === undefined ? tables.find(({ proof }) => proof !== undefined) : first
  if (table?.proof === undefined) return null
  const { verbs, proof } = table
  if (verbs === undefined || verbs.includes(verb)) return table
  // The second word of `git config user.name` is no verb.
  return proof === 'repository' && verbs.some((one) => verb.startsWith(`${one} `)) ? table : null
}

/** The verb, and with a group of verbs the next word too: `remote show` in `git remote -v show`. */
function verbOf(part: CommandPart, program: string): string {
  const found = findVerb(part)
  if (found.kind !== 'verb') return ''
  if (!isVerbGroup(program, found.verb)) return found.verb
  const next = found.rest.find(({ value }) => value === null || !value.startsWith('-'))
  return next === undefined ? found.verb : `${found.verb} ${next.value ?? '?'}`
}

const DASH = 45

/** Reads a command's options: in full, shortened (`--outp=x`), bundled (`-ro x`) or joined with their value (`-ox`). */
function readOptions({ args }: CommandPart, row: ProgramRow, program: string, verb: string): OptionReading {
  const { entries, tables } = knownOf(row, program, verb)
  const reading: Collected = { verb, tables, known: [], unknown: [], words: [] }
  const style = {
    entries,
    endsAtWords: tables.some((table) => table.words_end_options),
    isText: tables.some((table) => table.other_dashes === 'text'),
    bundles: row.single_dash !== true && !tables.some((table) => table.single_dash),
    attaches: !tables.some((table) => table.detached_values),
  }
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    if (word === undefined) break
    const text = word.value
    if (text === '--') return withRest(reading, args, at + 1)
    if (text === null || text.charCodeAt(0) !== DASH || text.length === 1) {
      if (style.endsAtWords) return withRest(reading, args, at)
      reading.words.push(word)
    } else {
      if (readOne(style, word, text, args[at + 1], reading)) at++
      const last = reading.known.at(-1)
      // The first of two values is a name: `jq --rawfile name file`.
      if (last !== undefined && tables.some(({ two_values }) => two_values?.includes(last.name)))
        reading.known.splice(-1, 1, { ...last, value: args[++at] ?? null })
      if (last !== undefined && tables.some(({ then_words }) => then_words?.includes(last.name)))
        return withRest(reading, args, at + 1)
    }
  }
  return reading
}

/** How a program reads words with a dash. */
interface Style {
  readonly entries: Entries
  readonly endsAtWords: boolean
  readonly isText: boolean
  readonly bundles: boolean
  /** A letter's value may be in the same word. */
  readonly attaches: boolean
}

interface Collected extends OptionReading {
  readonly known: KnownOption[]
  readonly unknown: UnknownOption[]
  readonly words: CommandWord[]
}

function withRest(reading: Collected, args: readonly CommandWord[], from: number): OptionReading {
  reading.words.push(...args.slice(from))
  return reading
}

/** Reads one word; true if the next word is its value. */
function readOne(
  style: Style,
  word: CommandWord,
  text: string,
  next: CommandWord | undefined,
  found: Collected,
): boolean {
  const { entries, isText, bundles } = style
  const equals = text.indexOf('=')
  const name = equals === -1 ? text : text.slice(0, equals)
  const given = equals === -1 ? null : { ...word, value: text.slice(equals + 1) }
  const exact = entries.get(name)
  const full =
    exact !== undefined
      ? { name, entry: exact, isSure: exact.isOwn }
      : text.startsWith('--')
        ? fullEntry(entries, name)
        : undefined
  if (full !== undefined) {
    const { entry, isSure } = full
    const takes = given === null && !entry.attached && entry.type !== 'flag'
    const value = takes ? (next ?? null) : given
    found.known.push({ name: full.name, type: entry.type, value, ofTable: entry.ofTable, isSure })
    return takes
  }
  if (isText) found.words.push(word)
  else if (bundles && !text.startsWith('--')) return readBundle(style, word, text, next, found)
  else found.unknown.push({ name, value: given ?? follower(next) })
  return false
}

/** A long option by its beginning, or switched off (`--no-color`); the worst of them if several begin alike. */
function fullEntry(entries: Entries, name: string): { name: string; entry: Entry; isSure: boolean } | undefined {
  let worst: { name: string; entry: Entry; isSure: boolean } | undefined
  if (name.length > 2)
    for (const [full, entry] of entries) {
      if (!full.startsWith(name)) continue
      const isWorse = worst === undefined || rankOf(entry.type) < rankOf(worst.entry.type)
      worst =
        isWorse || worst === undefined
          ? { name: full, entry, isSure: worst === undefined && entry.isOwn }
          : { ...worst, isSure: false }
    }
  if (worst !== undefined || !name.startsWith('--no-')) return worst
  const positive = entries.get(`--${name.slice(5)}`)
  if (positive === undefined || !HARMLESS.has(positive.type)) return undefined
  return { name, entry: { ...positive, type: 'flag', attached: false }, isSure: true }
}

/** Letters after one dash: true if the last of them takes the next word. */
function readBundle(
  { entries, attaches }: Style,
  word: CommandWord,
  text: string,
  next: CommandWord | undefined,
  found: Collected,
): boolean {
  if (/^-\d+$/.test(text) && entries.has('-#')) {
    found.known.push({ name: '-#', type: 'flag', value: null, ofTable: true, isSure: true })
    return false
  }
  for (let at = 1; at < text.length; at++) {
    const name = `-${text[at]}`
    const entry = entries.get(name)
    const rest = text.slice(at + 1)
    if (entry === undefined || (entry.type !== 'flag' && rest !== '' && !attaches)) {
      // The letters before it were only a guess: the word is named as it is written.
      const value = rest === '' ? follower(next) : { ...word, value: rest }
      found.unknown.push({ name: at === 1 ? text : name, value })
      return false
    }
    if (entry.type === 'flag') {
      found.known.push({ name, type: 'flag', value: null, ofTable: entry.ofTable, isSure: entry.isOwn })
      continue
    }
    const attached = rest.startsWith('=') ? rest.slice(1) : rest
    const value = rest === '' ? (entry.attached ? null : (next ?? null)) : { ...word, value: attached }
    found.known.push({ name, type: entry.type, value, ofTable: entry.ofTable, isSure: entry.isOwn })
    return rest === '' && !entry.attached
  }
  return false
}

/** The word after an unknown option, which may be its value. */
function follower(next: CommandWord | undefined): CommandWord | null {
  return next === undefined || next.value?.startsWith('-') === true ? null : next
}
