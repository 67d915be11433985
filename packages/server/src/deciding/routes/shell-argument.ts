import { shellQuote } from '@countersign/core'

/** Safe characters for a suggested command: printable ASCII, and no leading dash. */
const QUOTABLE = /^[ -,.-~][ -~]*$/

/** A word quoted for a suggested command; null where it cannot be. SECURITY: A1, names come from the client and are data. */
export function shellWord(word: string): string | null {
  return QUOTABLE.test(word) ? shellQuote(word) : null
}
