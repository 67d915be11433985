import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import type { OptionType, ProgramRow } from '../../knowledge/programs.ts'

/** An option of a command whose effect is known, and its value; null without one. */
export interface TypedOption {
  readonly name: string
  readonly type: OptionType
  readonly value: CommandWord | null
}

interface Entry {
  readonly type: OptionType
  /** The value stands in the same word, or is absent: `--color=`. */
  readonly attached: boolean
}

/** From the worst to the most harmless: what an ambiguous abbreviation counts as. */
const WORST_FIRST: readonly OptionType[] = ['runs', 'writes', 'settings', 'host', 'reads', 'value', 'flag']

const TABLES = new WeakMap<ProgramRow, ReadonlyMap<string, Entry>>()

/** The options of a row, and the flags that change its answer. */
function tableOf(row: ProgramRow): ReadonlyMap<string, Entry> {
  let table = TABLES.get(row)
  if (table === undefined) {
    const built = new Map<string, Entry>()
    for (const { flags } of row.flags ?? [])
      for (const name of flags) built.set(name, { type: 'flag', attached: false })
    for (const type of WORST_FIRST)
      for (const name of row.options?.[type] ?? []) {
        const attached = name.endsWith('=')
        built.set(attached ? name.slice(0, -1) : name, { type, attached })
      }
    table = built
    TABLES.set(row, table)
  }
  return table
}

/**
 * The options of a command by the types of its program's row: in full, shortened as GNU programs allow (`--outp=x`),
 * bundled (`-ro x`) or joined with their value (`-ox`).
 */
export function typedOptions({ args }: CommandPart, row: ProgramRow): readonly TypedOption[] {
  const found: TypedOption[] = []
  if (row.options === undefined && row.flags === undefined) return found
  const table = tableOf(row)
  for (let at = 0; at < args.length; at++) {
    const word = args[at]
    const text = word?.value ?? null
    if (word === undefined || text === null || text.charCodeAt(0) !== 45 || text.length === 1) continue
    if (text === '--') break
    const equals = text.indexOf('=')
    const name = equals === -1 ? text : text.slice(0, equals)
    const given = equals === -1 ? null : joined(word, text.slice(equals + 1))
    const exact = table.get(name)
    if (exact !== undefined) {
      const takes = given === null && !exact.attached && exact.type !== 'flag'
      found.push({ name, type: exact.type, value: takes ? (args[at + 1] ?? null) : given })
      if (takes) at++
    } else if (text.startsWith('--')) {
      const full = fullName(table, name)
      if (full === null) continue
      // The next word may be the value, or an option of its own.
      const next = full.entry.attached || full.entry.type === 'flag' ? null : (args[at + 1] ?? null)
      found.push({ name: full.name, type: full.entry.type, value: given ?? next })
    } else if (row.single_dash !== true && readBundle(table, word, text, args[at + 1], found)) at++
  }
  return found
}

/** The option that a shortened name means; the worst of them if there are several. */
function fullName(table: ReadonlyMap<string, Entry>, name: string): { name: string; entry: Entry } | null {
  let worst: { name: string; entry: Entry } | null = null
  for (const [full, entry] of table) {
    if (!full.startsWith(name)) continue
    if (worst === null || WORST_FIRST.indexOf(entry.type) < WORST_FIRST.indexOf(worst.entry.type))
      worst = { name: full, entry }
  }
  return worst
}

/** Letters after one dash: true when the last of them takes the next word. */
function readBundle(
  table: ReadonlyMap<string, Entry>,
  word: CommandWord,
  text: string,
  next: CommandWord | undefined,
  found: TypedOption[],
): boolean {
  for (let at = 1; at < text.length && /[A-Za-z0-9]/.test(text[at] ?? ''); at++) {
    const name = `-${text[at]}`
    const entry = table.get(name)
    if (entry === undefined) continue
    const rest = text.slice(at + 1)
    if (entry.type === 'flag') found.push({ name, type: 'flag', value: null })
    else {
      const value = rest === '' ? (entry.attached ? null : (next ?? null)) : joined(word, rest)
      found.push({ name, type: entry.type, value })
      return rest === '' && !entry.attached
    }
  }
  return false
}

function joined(word: CommandWord, value: string): CommandWord {
  return { ...word, value }
}
