/** What a shell takes as it is. */
const PLAIN = /^[\w@%+=:,./][\w@%+=:,./-]*$/
/** What may stand in quotes: nothing that a terminal acts on or that looks like something else, and no option. */
const QUOTABLE = /^[ -,.-~][ -~]*$/

/** A word as it stands in a command to run; null where it fits in none. SECURITY: A1, names are the asker's: they are data. */
export function shellWord(word: string): string | null {
  if (PLAIN.test(word)) return word
  return QUOTABLE.test(word) ? `'${word.replaceAll("'", String.raw`'\''`)}'` : null
}
