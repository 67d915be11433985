import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { PATH_ARGUMENTS } from '../../knowledge/compiled/commands.ts'
import { OWN_RULE, type OwnKnowledge } from '../../knowledge/own-knowledge.ts'
import { type OptionTable, type OptionType, type ProgramRow, programRow } from '../../knowledge/programs.ts'
import { type OptionReading, optionsOf, provingTable, type UnknownOption } from '../arguments/known-options.ts'
import { typedOptions } from '../arguments/typed-options.ts'
import { looksLikePath, type SpelledPath, spelled } from './unresolved-path.ts'

const NO_ROWS: readonly ProgramRow[] = []

/** The rows whose options name files. INVARIANT: an own row adds to the built-in one here, and takes nothing away. */
export function optionRows(program: string, own: OwnKnowledge | undefined): readonly ProgramRow[] {
  const builtin = programRow(program)
  const taught = own?.programs.get(program)
  if (taught === undefined) return builtin === undefined ? NO_ROWS : [builtin]
  const rows = [...taught.replacing, ...taught.raising].map(({ row }) => row)
  return builtin === undefined ? rows : [builtin, ...rows]
}

/** The paths of a command, with the files that its options write or read by the program's rows and option tables. */
export function optionPaths(part: CommandPart, rows: readonly ProgramRow[], paths: SpelledPath[]): SpelledPath[] {
  if (rows.length === 0) return paths
  const builtin = programRow(lowerCase(part.program ?? ''))
  const named = builtin === undefined ? paths : withWords(optionsOf(part, builtin), part, paths)
  if (!part.args.some(({ value }) => value?.startsWith('-') === true)) return named
  return withOptions(part, rows, builtin, named)
}

/**
 * The files among the words of a program that is proven by its table. SECURITY: L11, a name without a slash may be a link
 * or a key, so that a word is a file unless the table says otherwise.
 */
function withWords(reading: OptionReading, part: CommandPart, paths: SpelledPath[]): SpelledPath[] {
  const table = provingTable(reading)
  // git follows no links, and reads its own words.
  if (table === null || table.words === 'unread' || table.depends_on !== undefined || part.cwd === null) return paths
  // The files that git reads are those of its repository.
  if (table.proof === 'repository') return paths
  const { known, words, verb } = reading
  const isGiven = known.some(({ name }) => table.pattern_options?.includes(name) === true)
  const skipped =
    (table.words === 'pattern' && !isGiven ? 1 : 0) + (table.verbs === undefined ? 0 : verb.split(' ').length)
  const files = words
    .slice(skipped)
    .filter(({ value, glob }) => value !== null && value !== '-' && value !== '' && !glob)
  const found = files.map((word) => spelled(word, 'read', false)).filter((path) => !paths.some(isSameUse(path)))
  return found.length === 0 ? paths : [...paths, ...found]
}

/** Whether a path is already among those of a command, in no weaker way: only its attributes may have been read. */
function isSameUse(path: SpelledPath): (one: SpelledPath) => boolean {
  return ({ given, use, soft }) =>
    given === path.given && (use === path.use || path.use === 'read') && (path.soft || !soft || use !== 'read')
}

function withOptions(
  part: CommandPart,
  rows: readonly ProgramRow[],
  builtin: ProgramRow | undefined,
  paths: SpelledPath[],
): SpelledPath[] {
  let all = paths
  for (const row of rows)
    if (row.options?.writes !== undefined || row.options?.reads !== undefined)
      all = withFiles(typedOptions(part, row), all, row.rule === OWN_RULE)
  return builtin === undefined ? all : withFiles(tableOptions(part, builtin), all)
}

interface FileOption {
  readonly name: string
  readonly type: OptionType
  readonly value: CommandWord | null
}

/** Options that only a table lists, and those in no table that name a file: they may write it. */
function tableOptions(part: CommandPart, row: ProgramRow): readonly FileOption[] {
  const { known, unknown, tables } = optionsOf(part, row)
  const listed = known.filter(({ ofTable }) => ofTable)
  if (unknown.length === 0 || !tables.some(isComplete)) return listed
  return [...listed, ...unknown.filter(namesPath).map((one) => ({ ...one, type: 'writes' as const }))]
}

/** A program that runs no other command: its words are all its own. */
function isComplete({ proof, verbs }: OptionTable): boolean {
  return proof !== undefined || verbs !== undefined
}

function namesPath({ value }: UnknownOption): boolean {
  return value?.value != null && looksLikePath(value.value)
}

function withFiles(options: readonly FileOption[], paths: SpelledPath[], isOwn = false): SpelledPath[] {
  const found: SpelledPath[] = []
  for (const { name, type, value } of options) {
    if ((type !== 'writes' && type !== 'reads') || value === null || value.value === '-' || value.value === '') continue
    // An option that takes a value only behind some verbs: `bq show --schema --format=json`.
    if (type === 'reads' && value.value?.startsWith('-') === true) continue
    const path = spelled(value, type === 'writes' ? 'write' : 'read', PATH_ARGUMENTS.keyOptions.has(name))
    const isKnown = isSameUse(path)
    if (!paths.some(isKnown) && !found.some(isKnown)) found.push(path)
  }
  if (found.length === 0) return paths
  // INVARIANT: L9, an own row that calls an option's value written hides no file that the program reads.
  if (isOwn) return [...paths, ...found]
  // What an option writes is not among the files that the program reads.
  const written = new Set(found.filter(({ use }) => use === 'write').map(({ given }) => given))
  return [...paths.filter(({ given, use }) => use !== 'read' || !written.has(given)), ...found]
}
