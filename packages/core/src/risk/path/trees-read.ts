import type { CommandPart, CommandWord } from '../../command/model/decomposition.ts'
import { matchesName } from '../../command/model/glob-pattern.ts'
import { lowerCase } from '../../command/programs/program-names.ts'
import { findVerb } from '../../command/programs/subcommand.ts'
import { programRow } from '../../knowledge/programs.ts'
import { type KnownOption, type OptionReading, optionsOf, provingTable } from '../arguments/known-options.ts'
import { pathKey } from './paths-to-resolve.ts'

/** A folder that a command reads with the files below it, none of which it names. */
export interface TreeToScan {
  /** The folder as spelled, as `pathKey`, and what decides which of its files are read. */
  readonly key: string
  readonly folder: string
  readonly cwd: string
  /** Links below the folder are followed. */
  readonly follows: boolean
  /** Names of files; without any, all are read. */
  readonly only: readonly string[]
  /** Names of folders that are left out. */
  readonly without: readonly string[]
}

const GREPS: ReadonlySet<string> = new Set(['grep', 'egrep', 'fgrep', 'ggrep', 'rgrep'])
const RECURSIVE: ReadonlySet<string> = new Set(['-r', '--recursive', '-R', '--dereference-recursive'])
const FOLLOWING: ReadonlySet<string> = new Set(['-R', '--dereference-recursive', '-L', '--follow'])
const NO_TREES: readonly TreeToScan[] = []

/**
 * The folders that a proven program reads whole. SECURITY: L11, a search below a folder prints the secrets in it without
 * naming them.
 */
export function treesRead(part: CommandPart): readonly TreeToScan[] {
  const program = lowerCase(part.program ?? '')
  const found = part.cwd === null ? [] : part.args.flatMap((word) => foundTree(word, part.cwd ?? ''))
  return found.length === 0 ? searched(part, program) : [...found, ...searched(part, program)]
}

/** The folder below which `find` finds the files that a word stands for. They are named, so links are followed. */
function foundTree(word: CommandWord, cwd: string): readonly TreeToScan[] {
  if (word.below === undefined) return NO_TREES
  return treeOf(word, { cwd, follows: true, only: word.below, without: [] })
}

function searched(part: CommandPart, program: string): readonly TreeToScan[] {
  const isGrep = GREPS.has(program)
  const isGitDiff = program === 'git' && isVerb(part, 'diff')
  if (part.cwd === null || !(isGrep || program === 'rg' || program === 'diff' || isGitDiff)) return NO_TREES
  const row = programRow(program)
  const reading = row === undefined ? undefined : optionsOf(part, row)
  if (reading === undefined) return NO_TREES
  if (program === 'diff' || (isGitDiff && leavesRepository(reading))) return diffTrees(reading, part.cwd)
  if (isGitDiff) return NO_TREES
  if (isGrep && program !== 'rgrep' && !reading.known.some(recurses)) return NO_TREES
  return searchTrees(reading, part.cwd, isGrep)
}

function isVerb(part: CommandPart, name: string): boolean {
  const verb = findVerb(part)
  return verb.kind === 'verb' && verb.verb === name
}

/** Where one of two paths is outside the repository, `git diff` compares any files. */
function leavesRepository({ known, words }: OptionReading): boolean {
  const isOutside = ({ value }: CommandWord) => value === null || /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(value)
  return words.some(isOutside) || known.some(({ name }) => name === '--no-index')
}

/** `-d recurse`, which may be shortened; `rg -d` is something else, but that program always recurses. */
function recurses({ name, value }: KnownOption): boolean {
  if (RECURSIVE.has(name)) return true
  return (name === '-d' || name === '--directories') && value?.value !== 'read' && value?.value !== 'skip'
}

function searchTrees(reading: OptionReading, cwd: string, isGrep: boolean): readonly TreeToScan[] {
  const { known, words } = reading
  const isGiven = known.some(({ name }) => provingTable(reading)?.pattern_options?.includes(name) === true)
  const folders = isGiven ? words : words.slice(1)
  const named = (option: string) => known.flatMap(({ name, value }) => (name === option ? [value ?? HERE] : []))
  // With both, the order decides.
  const isOnly = isGrep && named('--exclude').length === 0 && named('--exclude-from').length === 0
  const only = isOnly ? named('--include') : []
  const rest = {
    cwd,
    follows: known.some(({ name }) => FOLLOWING.has(name)),
    only: only.every(isBound) ? only.map(textOf) : [],
    without: isGrep ? named('--exclude-dir').filter(isPlain).map(textOf) : [],
  }
  return (folders.length === 0 ? [HERE] : folders).flatMap((word) => treeOf(word, rest))
}

/** `diff` compares the files in two folders, also without `-r`, and follows links. */
function diffTrees({ words, known }: OptionReading, cwd: string): readonly TreeToScan[] {
  const files = known.flatMap(({ name, value }) => (/^--(?:from|to)-file$/.test(name) && value !== null ? [value] : []))
  const rest = { cwd, follows: true, only: [], without: [] }
  return [...words, ...files].flatMap((word) => treeOf(word, rest))
}

const HERE: CommandWord = { text: '.', value: '.', glob: false }

function treeOf({ value, glob, pipe }: CommandWord, rest: Omit<TreeToScan, 'key' | 'folder'>): TreeToScan[] {
  if (pipe === true) return []
  if (value === null || glob || value === '-' || value === '' || value === '/dev/null') return []
  const how = [rest.follows ? 'follows' : '', rest.only.join('\0'), rest.without.join('\0')].join('\0\0')
  return [{ key: `${pathKey(value, rest.cwd)}\0\0${how}`, folder: value, ...rest }]
}

const textOf = ({ value }: CommandWord) => value ?? ''

/** Letters and stars, which every program takes to mean the same. */
function isPlain({ value, glob }: CommandWord): boolean {
  return !glob && value !== null && /^[\w.*-]+$/.test(value)
}

/** The same; or a word for which the shell puts in names that start and end alike, and match nothing more. */
function isBound(word: CommandWord): boolean {
  return isPlain({ ...word, glob: false }) && (!word.glob || word.value?.split('*').length === 2)
}

/** Whether a command leaves out a file or a folder by its name. */
export function isLeftOut(name: string, isFolder: boolean, { only, without }: TreeToScan): boolean {
  const matches = (pattern: string) => matchesName(name, pattern, true)
  return isFolder ? without.some(matches) : only.length > 0 && !only.some(matches)
}
