import { shellQuote } from '@countersign/core'

/** What may stand in a command to run: nothing that a terminal acts on or that looks like something else, and no option. */
const QUOTABLE = /^[ -,.-~][ -~]*$/

/** A word as it stands in a command to run; null where it fits in none. SECURITY: A1, names are the asker's: they are data. */
export function shellWord(word: string): string | null {
  return QUOTABLE.test(word) ? shellQuote(word) : null
}
