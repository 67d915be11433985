import { looksRandom } from './randomness.ts'

/** A word, a number, or a word with a number at its end, as people name things: `main`, `eu2`, `appKey`, `2026`. */
const PLAIN_WORD = /^(?:[A-Za-z]?[a-z]*(?:[A-Z][a-z]+)*|[A-Z]+|[A-Za-z]?[a-z]{0,30}\d{1,4}|\d+)$/

const SEPARATORS = /[\s._:;,@=~%+/-]+/

/** The shortest value that can look like a secret, and the shortest of letters only. */
const MIN_LENGTH = 8
const MIN_LETTERS = 16

/**
 * Whether a value looks like a secret and not like words, numbers, names or paths. SECURITY: A14 an agent chooses the name
 * of an argument, so a name alone must not hide its value from the approver.
 */
export function looksSecret(value: string): boolean {
  if (value.length < MIN_LENGTH) return false
  if (looksRandom(value, MIN_LETTERS)) return true
  return !value.split(SEPARATORS).every((word) => word === '' || PLAIN_WORD.test(word))
}
