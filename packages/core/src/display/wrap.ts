import { type SafeText, sliceSafe } from './escape.ts'

/** East Asian wide and full-width ranges; emoji by their Unicode property. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2630-\u2637\u268a-\u268f\u2e80-\u303e\u3041-\u33ff\u3400-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{1d300}-\u{1d356}\u{1d360}-\u{1d376}\u{1f200}-\u{1f2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]/u
/** Without Korean half syllables: some terminals give them a column, and a wide estimate only breaks a row early. */
const ZERO = /[\p{Mn}\p{Me}]/u
const PLAIN = /^[\x20-\x7e]*$/

/** The width of a safe text in terminal columns. */
export function displayWidth(text: SafeText): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

function characterWidth(character: string): number {
  if (character <= '~') return 1
  return ZERO.test(character) ? 0 : WIDE.test(character) ? 2 : 1
}

/**
 * Wraps a safe text into rows of at most `columns`, after a space if possible. INVARIANT: the rows joined are exactly the
 * text. A mark, or a letter with its accents, stays whole unless it is wider than a row.
 */
export function wrapText(text: SafeText, columns: number): readonly SafeText[] {
  const width = Math.max(1, Math.floor(columns))
  const rows: SafeText[] = []
  let start = 0
  let used = 0
  let at = 0
  let breakAt = -1
  for (const piece of pieces(text, width)) {
    const wide = displayWidth(piece)
    while (used + wide > width && at > start) {
      const end = breakAt > start ? breakAt : at
      rows.push(sliceSafe(text, start, end))
      start = end
      breakAt = -1
      used = displayWidth(sliceSafe(text, start, at))
    }
    at += piece.length
    used += wide
    if (piece === ' ') breakAt = at
  }
  rows.push(sliceSafe(text, start))
  return rows
}

/** A character with its combining marks, or a whole `⟦…⟧` or marked run when a row can hold it. */
function* pieces(text: SafeText, columns: number): Generator<SafeText> {
  for (const match of text.matchAll(/⟦RTL⟧[^⟦]*⟦LTR⟧|⟦[A-Z0-9+]*⟧|\P{M}?\p{M}+|[\s\S]/gu)) {
    const piece = sliceSafe(text, match.index, match.index + match[0].length)
    if (displayWidth(piece) <= columns) yield piece
    else yield* characters(piece)
  }
}

function* characters(text: SafeText): Generator<SafeText> {
  let at = 0
  for (const character of text) {
    yield sliceSafe(text, at, at + character.length)
    at += character.length
  }
}
