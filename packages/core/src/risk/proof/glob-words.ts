import type { CommandPart, CommandWord, Inside } from '../../command/model/decomposition.ts'
import type { OptionTable } from '../../knowledge/programs.ts'
import { optionsOf } from '../arguments/known-options.ts'
import type { RiskCircumstances } from '../path/located-path.ts'
import { pathKey } from '../path/paths-to-resolve.ts'
import { rowOf } from '../programs/rate-program.ts'

/**
 * A part with the words that the shell puts in the place of those with wildcards: several parts where a loop runs it once for
 * each, or where a word without a match may vanish. Null if the words are not all known. Where they lead is added to
 * `resolved`.
 */
export function withMatches(
  part: CommandPart,
  { expanded }: RiskCircumstances,
  resolved: Map<string, string>,
  listedBy: Listing,
): readonly CommandPart[] | null {
  if (part.args.every(({ glob }) => !glob)) return [part]
  const loops = part.args.filter(({ glob, like }) => glob && like !== undefined).length
  if (loops > 1) return null
  let variants: readonly (readonly CommandWord[])[] = [[]]
  for (const word of part.args) {
    const choices =
      word.listed === undefined
        ? choicesOf(word, part, expanded, resolved)
        : listedWords(word, part, listedBy(word.listed), resolved)
    if (choices === null) return null
    variants = variants.flatMap((before) => choices.map((words) => [...before, ...words]))
    if (variants.length > MOST_VARIANTS) return null
  }
  return variants.map((args) => ({ ...part, args }))
}

/** INVARIANT: L10, more are not followed. */
const MOST_VARIANTS = 64

/** The files that a git command of these words lists; nothing if they are not known. */
export type Listing = (words: readonly string[]) => Inside['listed']

/** The words that git lists; null if they are not known. */
function listedWords(
  word: CommandWord,
  part: CommandPart,
  found: Inside['listed'],
  resolved: Map<string, string>,
): readonly (readonly CommandWord[])[] | null {
  if (found === undefined || part.cwd !== '') return null
  for (const { word: value, real } of found) resolved.set(pathKey(value, part.cwd), real)
  const { listed: _, ...rest } = word
  return [found.map(({ word: value }) => ({ ...rest, text: value, value, glob: false }))]
}

/** What may be in the place of one word. */
function choicesOf(
  word: CommandWord,
  part: CommandPart,
  expanded: RiskCircumstances['expanded'],
  resolved: Map<string, string>,
): readonly (readonly CommandWord[])[] | null {
  if (!word.glob || word.value === null) return [[word]]
  const literal = { ...word, text: quoted(word.value), glob: false }
  if (isValue(literal, part) || isPrinted(word.value, part)) return [[literal]]
  const matches = expanded?.get(pathKey(word.value, part.cwd))
  if (matches === undefined || (/^[*?[]/.test(word.value) && hasPowers(part))) return null
  // Without a match the word stays as it is, or vanishes with `nullglob`.
  if (matches.length === 0) return word.like === undefined ? [[literal], []] : [[literal]]
  const words: CommandWord[] = []
  for (const { word: value, real } of matches) {
    // It would be an option.
    if (value.startsWith('-')) return null
    if (real !== null) resolved.set(pathKey(value, part.cwd), real)
    words.push({ ...word, text: quoted(value), value, glob: false })
  }
  return word.like === undefined ? [words] : words.map((one) => [one])
}

/** `--include=*.js`: whatever file has a name that starts like this, it is the same option with another value. */
function isValue(word: CommandWord, part: CommandPart): boolean {
  const row = rowOf(part.program ?? '')
  if (row === undefined || word.value === null || !/^--[a-z][a-z-]*=[^/]*$/.test(word.value)) return false
  const { known, unknown } = optionsOf({ ...part, args: [word] }, row)
  const [option] = known
  return unknown.length === 0 && known.length === 1 && option?.type === 'value' && option.isSure
}

/** `echo *.js`: names of the folder, and nothing that they could change. */
function isPrinted(pattern: string, { program }: CommandPart): boolean {
  return program === 'echo' && !pattern.includes('/')
}

/**
 * Whether an option of the program could do harm. A file whose name is such an option may appear before the command runs,
 * and match a pattern that starts with a wildcard.
 */
function hasPowers(part: CommandPart): boolean {
  const row = rowOf(part.program ?? '')
  if (row === undefined) return true
  return optionsOf(part, row).tables.some(
    ({ runs, writes, settings, host, unproven }: OptionTable) =>
      (runs ?? writes ?? settings ?? host ?? unproven) !== undefined,
  )
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
