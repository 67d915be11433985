import { shellNames } from '../../knowledge/shell.ts'
import { type ExactWord, Inexact } from './state.ts'
import { literal } from './words.ts'

/** Programs that do the same harmless thing whatever words they get. */
const ANY_WORDS = shellNames('any_words')
/** Programs for which it makes no difference which whole number a word is. */
const ANY_NUMBER = shellNames('any_number')
/** Programs that read each file they are given, and do nothing else with it. */
const FILE_READERS = shellNames('file_readers')
/** Formats that only print: `%n` sets the variable that a word names. */
const FORMAT = /^(?!-)(?:[^%]|%(?:%|[-+ 0#]{0,4}\d{0,4}(?:\.\d{1,4})?[sbqdiuxXocfeg]))*$/
const COMPARES: ReadonlySet<string> = new Set(['=', '==', '!=', '-eq', '-ne', '-lt', '-le', '-gt', '-ge'])
const ONE = literal('1')

/**
 * The words of a command with a stand-in for each unknown one. Only where no text in its place could matter: not as an
 * option, a path, or anything that is evaluated.
 */
export function withStandIns(words: readonly ExactWord[]): readonly ExactWord[] {
  const [program, ...given] = words
  const name = program?.text
  if (program === undefined || name == null || program.glob !== null || program.isPipe) throw new Inexact()
  const isAnyNumber = ANY_NUMBER.has(name)
  const args = given.map((word) => (isAnyNumber && word.text === null && word.isNumber ? ONE : word))
  // `for f in *; do echo "$f"; done`: whatever name it is, it is only printed.
  if (ANY_WORDS.has(name) || takesUnknown(name, args))
    return [program, ...args.map((word) => (isUnknown(word) ? ONE : word))]
  const isOfFiles = ({ isPipe, glob, listed, below }: ExactWord) =>
    isPipe || glob === 'loop' || listed !== undefined || below !== undefined
  if (args.some(isOfFiles) && !FILE_READERS.has(name)) throw new Inexact()
  if (args.some(({ text, listed }) => text === null && listed === undefined)) throw new Inexact()
  return [program, ...args]
}

function isUnknown({ text, glob, isPipe, below }: ExactWord): boolean {
  return text === null || glob === 'loop' || isPipe || below !== undefined
}

function takesUnknown(name: string, args: readonly ExactWord[]): boolean {
  if (name === 'printf') return isPrinting(args)
  return (name === 'test' || name === '[') && isComparing(name === '[' ? args.slice(0, -1) : args)
}

/** `printf` with a known format, and anything after it. */
export function isPrinting([format]: readonly ExactWord[]): boolean {
  return format?.text != null && format.glob === null && FORMAT.test(format.text)
}

/** `[ -n "$x" ]`, `[ "$x" = y ]`: where the operator is known, its operands are only compared. */
function isComparing(args: readonly ExactWord[]): boolean {
  if (args.some(({ spread, glob }) => spread || glob !== null)) return false
  const known = args[0]?.text === '!' && args.length > 2 ? args.slice(1) : args
  const [first, second] = known
  if (known.length === 2) return first?.text === '-n' || first?.text === '-z'
  return known.length === 3 && COMPARES.has(second?.text ?? '')
}
