/** What differs between two layouts of one text: colours, blanks, and the bars before and between its rows. */
const LAYOUT = /\x1b\[[0-9;]*m|[\s│]+/g

/**
 * How many rows of another layout, from its first, hold only what stood in the rows that were read of the one before.
 * SECURITY: A14 counted by the text itself: the same number of rows is another stretch of it at another width.
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
