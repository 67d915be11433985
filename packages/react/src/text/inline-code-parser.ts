/** A stretch of a sentence: a name that stood between backticks, or words. */
export interface TickedPiece {
  readonly text: string
  readonly isName: boolean
}

/**
 * Takes a sentence apart at its backticks, as Markdown does: a name ends at as many as it began with, so that one with
 * backticks of its own stays whole. A name that was cut (`…`) ends with the text; any other that does not end is words.
 */
export function tickedPieces(text: string): readonly TickedPiece[] {
  const parts = text.split(/(`+)/) // words, fence, words, fence, …
  const pieces: TickedPiece[] = []
  let words = parts[0] ?? ''
  for (let at = 1; at < parts.length; at += 2) {
    const fence = parts[at] ?? ''
    const end = parts.findIndex((part, place) => place > at && place % 2 === 1 && part === fence)
    const isCut = end === -1 && text.endsWith('…')
    if (end === -1 && !isCut) {
      words += fence + (parts[at + 1] ?? '')
      continue
    }
    if (words !== '') pieces.push({ text: words, isName: false })
    const name = parts.slice(at + 1, isCut ? undefined : end).join('')
    pieces.push({ text: fence.length > 1 ? unpadded(name) : name, isName: true })
    if (isCut) return pieces
    words = parts[end + 1] ?? ''
    at = end
  }
  if (words !== '') pieces.push({ text: words, isName: false })
  return pieces
}

/** A name that begins or ends with a backtick has a blank on either side. */
function unpadded(name: string): string {
  const inner = name.slice(1, -1)
  const isPadded = name.startsWith(' ') && name.endsWith(' ') && (inner.startsWith('`') || inner.endsWith('`'))
  return isPadded ? inner : name
}
