/** What differs between two layouts of a text: colors, blanks and bars. */
const LAYOUT = /\x1b\[[0-9;]*m|[\s│]+/g

/**
 * How many rows of a new layout contain only text that was read in the previous one.
 * SECURITY: A14 compares the text itself: the same number of rows covers other text at another width.
 */
export function rowsRead(read: readonly string[], rows: readonly string[]): number {
  const known = read.map(bare).join('')
  let at = 0
  for (const [row, text] of rows.entries()) {
    const words = bare(text)
    if (!known.startsWith(words, at)) return row
    at += words.length
  }
  return rows.length
}

function bare(row: string): string {
  return row.replaceAll(LAYOUT, '')
}
