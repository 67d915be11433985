import {
  beforeVerb,
  type OptionTable,
  type OptionType,
  optionTables,
  type ProgramRow,
  type TypedOptions,
} from '../../knowledge/programs.ts'

/** An option that is known of a program. */
export interface Entry {
  readonly type: OptionType
  /** The value is in the same word, or absent: `--color=`. */
  readonly attached: boolean
  /** Listed by a table of options, and not also by the row that rates it. */
  readonly ofTable: boolean
  /** Listed by a table that was checked for this program: rows and other tables are shared by programs with other options. */
  readonly isOwn: boolean
}

/** From the worst to the most harmless: what an ambiguous abbreviation counts as. */
const WORST_FIRST: readonly OptionType[] = ['runs', 'writes', 'settings', 'host', 'reads', 'value', 'flag']
export const HARMLESS: ReadonlySet<OptionType> = new Set(['flag', 'value', 'reads'])

export type Entries = ReadonlyMap<string, Entry>

/** Everything known about the options of a program and a verb. */
export interface Known {
  readonly entries: Entries
  readonly tables: readonly OptionTable[]
}

const KNOWN = new Map<string, Known>()

/** The name of a program without its version, or without the machine that it is for: `gcc-12`, `arm-none-eabi-nm`. */
function plainName(program: string): string {
  return program
    .replace(/-?\d[\d.]*$/, '')
    .replace(/^(?:arm|aarch64|riscv\d+|xtensa|avr|mips|x86_64|i686)-(?:[\w.]+-)*/, '')
}

/** The option tables of a program that apply behind a verb: for `remote add` those of `remote` if it has none of its own. */
function tablesFor(program: string, verb: string): readonly OptionTable[] {
  const own = optionTables(program)
  const all = own.length > 0 ? own : optionTables(plainName(program))
  const general = all.filter(({ verbs }) => verbs === undefined)
  for (let part = verb; part !== ''; part = part.slice(0, Math.max(0, part.lastIndexOf(' ')))) {
    const ofVerb = all.filter(({ verbs }) => verbs?.includes(part) === true)
    if (ofVerb.length > 0) return [...ofVerb, ...general]
  }
  return general
}

/** Every option that is known of a program and its verb. */
export function knownOf(row: ProgramRow, program: string, verb: string): Known {
  const key = `${program} ${verb}`
  let known = KNOWN.get(key)
  if (known === undefined) {
    const entries = new Map<string, Entry>()
    const flag: Entry = { type: 'flag', attached: false, ofTable: false, isOwn: true }
    for (const name of [...(row.dry_run ?? []), '--dry-run', '--help', '--version']) entries.set(name, flag)
    for (const { flags } of row.flags ?? []) for (const name of flags) entries.set(name, flag)
    const tables = tablesFor(program, verb)
    const isProven = tables.some(({ proof }) => proof !== undefined)
    for (const table of tables) add(entries, table, 'table', !isProven || table.proof !== undefined)
    add(entries, beforeVerb(row.options_of ?? program), 'before-verb', true)
    add(entries, row.options, 'row', false)
    known = { entries, tables }
    if (KNOWN.size < MAX_KNOWN) KNOWN.set(key, known)
  }
  return known
}

/** INVARIANT: L10, words of an agent that look like verbs fill this only so far. */
const MAX_KNOWN = 2_000

/** Tables of a verb come first, since they know it better; what the row says of an option only makes it worse. */
function add(
  entries: Map<string, Entry>,
  options: TypedOptions | undefined,
  by: 'table' | 'before-verb' | 'row',
  isOwn: boolean,
): void {
  if (options === undefined) return
  const ofTable = by === 'table'
  for (const type of WORST_FIRST)
    for (const name of options[type] ?? []) {
      const attached = name.endsWith('=')
      const plain = attached ? name.slice(0, -1) : name
      const known = entries.get(plain)
      if (known === undefined) entries.set(plain, { type, attached, ofTable, isOwn })
      // A value that the table does not know would hide the next word.
      else if (!ofTable && !(known.type === 'flag' && type === 'value'))
        entries.set(plain, { ...known, type: worseOf(known.type, type), ofTable: false })
    }
}

function worseOf(one: OptionType, other: OptionType): OptionType {
  return rankOf(other) < rankOf(one) ? other : one
}

/** How bad an option of a type can be: 0 is the worst. */
export function rankOf(type: OptionType): number {
  return WORST_FIRST.indexOf(type)
}
