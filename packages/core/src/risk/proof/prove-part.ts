import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { findVerb } from '../../command/programs/subcommand.ts'
import {
  type OptionTable,
  type OptionType,
  optionTables,
  type ProgramRow,
  type TypedOptions,
} from '../../knowledge/programs.ts'
import { isHarmlessSetting, isHarmlessVariable } from '../../runners/settings/git-words.ts'
import { actsOf } from '../acts/acts-of.ts'
import { isShowable } from '../arguments/displayable-name.ts'
import { type OptionReading, optionsOf, provingTable } from '../arguments/known-options.ts'
import { isHarmlessDevice, isInside, placeOf } from '../path/category.ts'
import type { LocatedPath, RiskCircumstances } from '../path/located-path.ts'
import { pathKey } from '../path/paths-to-resolve.ts'
import { treesRead } from '../path/trees-read.ts'
import { finding, type RiskFinding } from '../report/finding.ts'
import type { PathUse, RatedPart } from '../report/report.ts'
import type { ActContext } from './act-context.ts'
import { isOwnFile } from './own-file.ts'
import { type PathChange, touching } from './path-change.ts'
import { proveActs } from './prove-acts.ts'

/** What an option of these types adds to a program that otherwise only reads. */
const POWERS: Readonly<Partial<Record<OptionType, RiskFinding>>> = {
  runs: finding('high', 'files.filter-powers', 'runs the program it is given', 'unknown'),
  settings: finding('medium', 'plain.settings', 'changes settings or reads them from a file', 'unknown'),
  host: finding('medium', 'network.reach', 'reaches a host', 'yes'),
}

/** Rates options that the program's row says nothing about: those of its tables by their type, others as unknown. */
export function rateOptions(part: CommandPart, row: ProgramRow): RiskFinding | null {
  const { known, unknown } = optionsOf(part, row)
  // Code that rates a program reads its options itself.
  const power =
    row.rater !== undefined ? undefined : known.find(({ type, ofTable }) => ofTable && POWERS[type] !== undefined)
  const found = power === undefined ? undefined : POWERS[power.type]
  if (found !== undefined) return { ...found, text: `${part.program} ${found.text}` }
  const [first] = unknown
  if (first === undefined) return null
  const text = `${quoted(first.name)} is not a known option of ${quoted(part.program ?? '')}`
  return finding('medium', 'proof.option', text, 'unknown')
}

function quoted(word: string): string {
  return isShowable(word) ? `\`${word.slice(0, 64)}\`` : 'an option'
}

/** What was found about a part, besides its words. */
interface Found {
  readonly paths: readonly LocatedPath[]
  /** Nothing was found that is a risk. */
  readonly isHarmless: boolean
  /** What was found are changes of files. */
  readonly changesFiles: boolean
  /** The whole command: its parts, which of them this is, and what all of them change. */
  readonly command?: Whole
  /** What was found are changes of files, or of a repository's own data. */
  readonly changesRepository: boolean
}

interface Whole {
  readonly parts: readonly CommandPart[]
  readonly index: number
  readonly changes: () => readonly PathChange[]
}

interface Proven extends Pick<RatedPart, 'proven' | 'provided'> {
  /** What it changes besides the paths that were found. */
  readonly more?: readonly PathUse[]
}

const UNPROVEN: Proven = {}

/**
 * Proves by its words that a command only reads, or only changes paths of the workspace. Every word must be literal, every
 * option known and harmless, and every changed path resolved.
 */
export function provePart(part: CommandPart, row: ProgramRow, found: Found, now: RiskCircumstances): Proven {
  const reading = optionsOf(part, row)
  const table = provingTable(reading)
  if (table === null || !isNamed(part, table) || !isLiteral(part, reading.known, table.variables)) return UNPROVEN
  if (!hasOnlyKnownOptions(reading, table, found.paths, part)) return UNPROVEN
  if (table.proof === 'repository' || (table.changes === 'repository' && !found.isHarmless))
    return proveRepository(part, found, now)
  // Another repository counts only if its settings were read.
  if (table.depends_on === 'repository' && part.inside === undefined && !isOwnRepository(part)) return UNPROVEN
  if (isInside(now.programs?.get(part.path ?? '') ?? '', now.places.workspace)) return UNPROVEN
  // A name that is found is never the value of an option.
  if (part.args.some((word) => word.below !== undefined && !reading.words.includes(word))) return UNPROVEN
  if (treesRead(part).some(({ key }) => now.below?.get(key) !== null)) return UNPROVEN
  if (table.depends_on === 'npmrc' && !isPlainNpm(part, now)) return UNPROVEN
  const provided: Proven = table.depends_on === 'repository' ? { provided: 'repository' } : UNPROVEN
  return proveEffects(part, { known: reading.known, proof: table.proof, acts: actsOf(part), provided }, found, now)
}

const NO_OPTIONS: OptionReading['known'] = []

/** Proves that a command which only prints does so: the program is the system's own, which no file of the project replaces. */
export function provePrinted(part: CommandPart, found: Found, now: RiskCircumstances): Proven {
  const at = now.programs?.get(part.path ?? '')
  if (at === undefined || placeOf(at, now.places) !== 'system') return UNPROVEN
  const tables = optionTables(lowerCase(part.program ?? ''))
  const variables = tables.find((table) => table.variables !== undefined)?.variables
  if (part.path !== part.program || !isLiteral(part, NO_OPTIONS, variables)) return UNPROVEN
  return proveEffects(part, { known: NO_OPTIONS, proof: 'reads', acts: undefined, provided: UNPROVEN }, found, now)
}

/** What the words of a command say. */
interface Read {
  readonly known: OptionReading['known']
  readonly proof: OptionTable['proof']
  readonly acts: ReturnType<typeof actsOf>
  readonly provided: Proven
}

function proveEffects(
  part: CommandPart,
  { known, proof, acts, provided }: Read,
  found: Found,
  now: RiskCircumstances,
): Proven {
  const changed = found.paths.filter(isChange)
  if (found.paths.some(({ use, given }) => use === 'execute' && given !== part.path)) return UNPROVEN
  if (proof === 'reads' && changed.some(({ place }) => place === null)) return UNPROVEN
  if (acts === null) return UNPROVEN
  // A value that was taken for the file to write hides the one that is written. Acts tell them apart.
  if (
    acts === undefined &&
    known.some(({ type, value }) => type === 'value' && changed.some(({ given }) => given === value?.value))
  )
    return UNPROVEN
  const isEffect = changed.length > 0 || (acts !== undefined && acts.length > 0)
  if (!isEffect) return found.isHarmless ? { proven: 'reads', ...provided } : UNPROVEN
  if (!found.changesFiles || !isFolderKnown(part, found, now)) return UNPROVEN
  if (acts === undefined)
    return changed.every((path) => isWritable(path, part, now)) ? { proven: 'changes', ...provided } : UNPROVEN
  const isRedirected = ({ given }: LocatedPath) => part.redirections.some(({ target }) => target === given)
  if (!changed.filter(isRedirected).every((path) => isWritable(path, part, now))) return UNPROVEN
  const context = contextOf(found, now)
  const more = context === null ? null : proveActs(acts, context)
  return more === null
    ? UNPROVEN
    : { proven: 'changes', ...provided, more: more.filter((path) => isNew(path, changed)) }
}

function isNew({ given }: PathUse, changed: readonly LocatedPath[]): boolean {
  return !changed.some((path) => path.given === given && path.use === 'write')
}

function contextOf({ command }: Found, now: RiskCircumstances): ActContext | null {
  if (command === undefined || now.looks === undefined) return null
  const { parts, index, changes } = command
  return { parts, index, changes: changes(), looks: now.looks, now }
}

/** A path of the workspace that is written as one file, and that no other name leads to. */
function isWritable({ real, given }: LocatedPath, { cwd }: CommandPart, { places, looks }: RiskCircumstances): boolean {
  const look = looks?.get(pathKey(given, cwd))
  const isShared = look !== undefined && look.leadsTo === 'file' && look.names > 1
  return isOwnFile(real, places) && !isShared && look?.leadsTo !== 'other'
}

/** After a `cd` that fails, the command would go on in another folder: it must be there, and stay there. */
function isFolderKnown({ cwd }: CommandPart, { command }: Found, { looks }: RiskCircumstances): boolean {
  if (cwd === '') return true
  const folder = looks?.get(pathKey('.', cwd))
  if (folder?.leadsTo !== 'directory' || command === undefined) return false
  return !touching(command.changes(), folder.real, command.index).some(
    ({ at, to }) => to !== 'folder' && isInside(folder.real, at),
  )
}

/** Proves that a use of git changes only the repository's own data, and ordinary files of the workspace that its words name. */
function proveRepository(part: CommandPart, found: Found, now: RiskCircumstances): Proven {
  const { paths, isHarmless, changesRepository, command } = found
  const repository = part.inside?.repository
  if (repository === undefined || !(isHarmless || changesRepository)) return UNPROVEN
  const { folder, stages, writes } = repository
  // SECURITY: A11 what is in the repository can be read without asking.
  if (stages.some((path) => placeOf(path, now.places) === 'credentials')) return UNPROVEN
  const isMoved = ({ at, to }: PathChange) => to === 'anything' && isInside(folder, at)
  if (command === undefined || touching(command.changes(), folder, command.index).some(isMoved)) return UNPROVEN
  const changed = paths.filter(isChange)
  const isOwn = changed.every((path) => isWritable(path, part, now)) && writes.every((at) => isOwnFile(at, now.places))
  if (!isOwn || paths.some(({ use }) => use === 'execute')) return UNPROVEN
  const isChanging = changed.length + writes.length > 0 || !isHarmless
  return { proven: isChanging ? 'changes' : 'reads', provided: 'settings' }
}

function isChange({ use, at }: LocatedPath): boolean {
  return (use === 'write' || use === 'delete') && (at === null || !isHarmlessDevice(at))
}

function hasOnlyKnownOptions(
  { known, unknown, words }: OptionReading,
  table: OptionTable,
  paths: readonly LocatedPath[],
  part: CommandPart,
): boolean {
  if (unknown.length > 0 || !hasOnlyKnownWords(words, table)) return false
  const { read_by_rater, proven, unproven } = table
  const odd = table.unproven_values === undefined ? null : new RegExp(table.unproven_values)
  return known.every(({ name, type, value, isSure }) => {
    if (!isSure || unproven?.includes(name) === true || proven?.includes(name) === false) return false
    if (odd !== null && type === 'value' && value !== null && (value.value === null || odd.test(value.value)))
      return false
    if (type === 'runs') return read_by_rater?.includes(name) === true
    if (type === 'settings') return name === '-c' && isGitDisplay(value, part, table)
    if (type === 'host') return false
    if (type === 'reads') return value === null || isNoFile(value.value) || paths.some(reads(value, table))
    return type !== 'writes' || paths.some(({ use, given }) => use === 'write' && given === value?.value)
  })
}

/** `git -c color.ui=never`: a setting before the verb that only changes what is printed; or `git switch -c name`. */
function isGitDisplay(value: CommandWord | null, part: CommandPart, table: TypedOptions): boolean {
  const verb = findVerb(part)
  if (value === null || part.program !== 'git' || verb.kind !== 'verb') return false
  return verb.rest.includes(value) ? table.value?.includes('-c') === true : isHarmlessSetting(value)
}

function hasOnlyKnownWords(words: OptionReading['words'], { proven_words, unproven_words }: OptionTable): boolean {
  const odd = unproven_words === undefined ? null : new RegExp(unproven_words)
  const usual = proven_words === undefined ? null : new RegExp(proven_words)
  return words.every(({ value }) => value !== null && odd?.test(value) !== true && usual?.test(value) !== false)
}

/** The standard input, or nothing. */
function isNoFile(value: string | null): boolean {
  return value === '-' || value === ''
}

/** Whether a path was rated as a file whose content the command reads, unless it shows nothing of it. */
function reads({ value }: CommandWord, { words, depends_on, proof }: OptionTable): (path: LocatedPath) => boolean {
  // `git -C folder` reads the repository there, whose settings are looked at.
  const isShown = words !== 'unread' && depends_on === undefined && proof !== 'repository'
  return ({ use, given, soft }) => given === value && (use !== 'read' || !soft || !isShown)
}

/** npm itself, not a shim that starts another version, in a project that was found to have no settings for it. */
function isPlainNpm({ inside, cwd, path }: CommandPart, { programs }: RiskCircumstances): boolean {
  const isRead = inside !== undefined && inside.opaque.length === 0 && inside.runs.length === 0
  return isRead && cwd === '' && programs?.get(path ?? '')?.endsWith('/node_modules/npm/bin/npm-cli.js') === true
}

/** The repository of the workspace, by no option and no `cd`. */
function isOwnRepository({ cwd, args }: CommandPart): boolean {
  return cwd === '' && args[0]?.value?.startsWith('-') === false
}

/** By its name, or where every system has it: `/bin/ls`. What reads settings is looked up by its name. */
function isNamed({ path, program }: CommandPart, { proof, depends_on }: OptionTable): boolean {
  if (path === program) return true
  return proof === 'reads' && depends_on === undefined && (path === `/bin/${program}` || path === `/usr/bin/${program}`)
}

function isLiteral(
  { program, args, assignments, redirections, via, defined, cwd }: CommandPart,
  known: OptionReading['known'],
  variables?: string,
): boolean {
  const usual = variables === undefined ? null : new RegExp(variables)
  return (
    program !== null &&
    program !== '' &&
    cwd !== null &&
    defined !== true &&
    assignments.every(
      (one) =>
        (program === 'git' && isHarmlessVariable(one)) ||
        (one.value !== null && usual?.test(`${one.name}=${one.value}`) === true),
    ) &&
    via.length === 0 &&
    redirections.every(({ target, glob }) => target !== null && glob !== true) &&
    args.every((word) => isLiteralWord(word) || isOptionPattern(word, known))
  )
}

/** A word that the shell passes on as written. Inside single quotes nothing is expanded; `HEAD~1` is no home folder. */
function isLiteralWord({ text, value, glob }: CommandWord): boolean {
  return value !== null && !glob && !/[$`{]|(?:^|[:=])~/.test(text.replace(/'[^']*'/g, ''))
}

/** `--include=*.ts`: whatever files it matches, each word is the same option with a value that only affects the output. */
function isOptionPattern({ text, value, glob }: CommandWord, known: OptionReading['known']): boolean {
  const name = value === null ? undefined : /^(--[a-z][a-z-]*)=[^*?[]*[*?[]/.exec(value)?.[1]
  if (!glob || name === undefined || /[$`~{\\(]/.test(text)) return false
  return known.some((one) => one.name === name && one.type === 'value' && one.isSure)
}
