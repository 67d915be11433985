import { LOOKALIKE_LETTERS } from '../../knowledge/compiled/tools.ts'

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu
const ASCII = /^\p{ASCII}*$/u

let latinLetters: ReadonlyMap<string, string> | undefined

/** The Latin letter that another letter looks like. */
function latinFor(letter: string): string | undefined {
  latinLetters ??= new Map(
    Object.entries(LOOKALIKE_LETTERS.letters).flatMap(([latin, others]) =>
      others.map((other): [string, string] => [other, latin]),
    ),
  )
  return latinLetters.get(letter)
}

/** A name as a person reads it: look-alike letters become Latin, invisible characters are dropped. */
export function foldLookAlikes(name: string): string {
  if (ASCII.test(name)) return name
  return [...name.normalize('NFKC').replace(INVISIBLE, '')].map((letter) => latinFor(letter) ?? letter).join('')
}

/**
 * Whether a word of a name looks Latin and is not: `deletе_user` with a Cyrillic letter, or with an invisible character.
 * A name written in another alphabet throughout has no look-alikes.
 */
export function hasLookAlikes(name: string): boolean {
  if (ASCII.test(name)) return false
  if (name.replace(INVISIBLE, '') !== name) return true
  // Fullwidth and mathematical letters stand for Latin ones.
  if (!/[A-Za-z]/.test(name))
    return name.normalize('NFC') !== name.normalize('NFKC') && ASCII.test(foldLookAlikes(name))
  return name.split(/[\s_./:-]+/).some((word) => {
    if (ASCII.test(word)) return false
    const folded = foldLookAlikes(word)
    return folded !== word.normalize('NFC') && (ASCII.test(folded) || /[A-Za-z]/.test(word))
  })
}
