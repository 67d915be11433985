import { FOREIGN_WORDS } from '../../knowledge/compiled/tools.ts'

const ASCII = /^\p{ASCII}*$/u
const MARKS = /\p{M}+/gu
/** Letters of languages that are written without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u

let words: ReadonlyMap<string, string> | undefined
let unspaced: ReadonlyMap<string, string> | undefined
let longest = 0

/** The English words for one word of a name: `borrar` is `delete`, `清空表` is `empty` and `table`. */
export function inEnglish(word: string): readonly string[] {
  words ??= indexOf(FOREIGN_WORDS.words)
  if (ASCII.test(word)) return [words.get(word) ?? word]
  if (UNSPACED.test(word)) return pieces(word)
  const known = words.get(word.normalize('NFD').replace(MARKS, '').replaceAll('ß', 'ss'))
  return [known ?? word]
}

function indexOf(table: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([english, others]) => others.map((one): [string, string] => [one, english])),
  )
}

/** Known words inside a word without spaces, the longest first; what is between them stays as it is. */
function pieces(word: string): readonly string[] {
  unspaced ??= indexOf(FOREIGN_WORDS.unspaced)
  if (longest === 0) for (const one of unspaced.keys()) longest = Math.max(longest, one.length)
  const found: string[] = []
  let rest = ''
  const endRest = (): void => {
    if (rest !== '') found.push(rest)
    rest = ''
  }
  for (let at = 0; at < word.length; ) {
    const length = lengthAt(word, at, unspaced)
    if (length === 0) rest += word[at++] ?? ''
    else {
      endRest()
      found.push(unspaced.get(word.slice(at, at + length)) ?? '')
      at += length
    }
  }
  endRest()
  return found
}

function lengthAt(word: string, at: number, known: ReadonlyMap<string, string>): number {
  for (let length = Math.min(longest, word.length - at); length > 0; length--)
    if (known.has(word.slice(at, at + length))) return length
  return 0
}
