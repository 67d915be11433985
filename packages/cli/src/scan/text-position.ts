/** Line and column of a place in a text, both from 1, as editors count them. */
export function placeIn(text: string, at: number): { readonly line: number; readonly column: number } {
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end >= 0 && end < at; end = text.indexOf('\n', end + 1)) {
    line += 1
    start = end + 1
  }
  return { line, column: at - start + 1 }
}

/** A secret as a table may show it: its length, and of a long one the last characters, which tell two apart. */
export function maskedTail(secret: string): string {
  const tail = secret.length < 16 || secret.includes('\n') ? '' : secret.slice(-4)
  return `…${tail} (${secret.length} characters)`
}
