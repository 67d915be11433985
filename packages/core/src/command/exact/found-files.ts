import { shellNames } from '../../knowledge/shell.ts'
import { type ExactState, type ExactWalk, type ExactWord, Inexact } from './state.ts'
import { literal } from './words.ts'

/** What only reads or prints its words. */
const READERS = new Set([...shellNames('file_readers'), ...shellNames('any_words')])
/** Tests of `find` with a value. All must hold, so that a name bounds what is found. */
const TESTS: ReadonlySet<string> = new Set(
  (
    '-name -iname -path -ipath -wholename -regex -iregex -type -maxdepth -mindepth -size -perm -user -group -links -newer ' +
    '-newermt -mtime -mmin -atime -amin -ctime -cmin'
  ).split(' '),
)
/** Words of an expression without a value, behind or beside which more may be found. */
const OTHERS: ReadonlySet<string> = new Set(
  '-o -or -a -and -not ! ( ) , -print -print0 -prune -quit -empty -readable -executable -depth -xdev -mount'.split(' '),
)

/**
 * `find src -name '*.c' -exec wc -l {} +`: the search without the action, and the program once for each folder that is
 * searched. Every name begins with that folder, so none is an option. False without `-exec`.
 */
export function runFound(args: readonly ExactWord[], state: ExactState, walk: ExactWalk): boolean {
  if (!args.some(({ text }) => text === '-exec')) return false
  const words = args.map(({ text, glob, isPipe }) => {
    if (text === null || glob !== null || isPipe) throw new Inexact()
    return text
  })
  const end = words.findIndex((word) => /^[-(),!]/.test(word))
  const folders = end === 0 ? ['.'] : words.slice(0, end)
  const search = words.slice(0, end)
  let names: readonly string[] = []
  let isBound = true
  for (let at = end; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '-exec') {
      const last = words.findIndex(
        (one, index) => index > at && (one === ';' || (one === '+' && words[index - 1] === '{}')),
      )
      if (last === -1) throw new Inexact()
      for (const folder of folders) runOn(folder, isBound ? names : [], args.slice(at + 1, last), state, walk)
      search.push('-print')
      at = last
      continue
    }
    search.push(word)
    if (OTHERS.has(word)) {
      isBound = false
      continue
    }
    // Options before the folders, more folders behind `--`, or a file with their names.
    if (!TESTS.has(word)) throw new Inexact()
    const value = words[++at]
    if (value === undefined) throw new Inexact()
    search.push(value)
    if (word === '-name' && /^[\w.*-]+$/.test(value)) names = [value]
  }
  walk.emit([literal('find'), ...search.map(literal)], [], state)
  return true
}

function runOn(
  folder: string,
  names: readonly string[],
  words: readonly ExactWord[],
  state: ExactState,
  walk: ExactWalk,
): void {
  if (!READERS.has(words[0]?.text ?? '')) throw new Inexact()
  const filled = words.map((word): ExactWord => {
    if (word.text === '{}') return { ...literal(folder), below: names, isWritten: false }
    if (word.text?.includes('{}') === true) throw new Inexact()
    return word
  })
  walk.emit(filled, [], state)
}
