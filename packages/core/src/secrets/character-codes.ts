/** The UTF-16 units of a text as numbers, which are faster to read many times than a string. */
export type Codes = Uint16Array

const encoder = new TextEncoder()

const PIECE = 4096
/** Up to this length reading each unit is faster than the encoder. */
const SHORT = 64

/** The units of a text. For ASCII the encoder returns them at once: one byte each. */
export function codesOf(text: string): Codes {
  const codes = new Uint16Array(text.length)
  if (text.length <= SHORT) {
    for (let at = 0; at < text.length; at++) codes[at] = text.charCodeAt(at)
    return codes
  }
  for (let from = 0; from < text.length; from += PIECE) {
    const piece = text.length <= PIECE ? text : text.slice(from, from + PIECE)
    const bytes = encoder.encode(piece)
    if (bytes.length === piece.length) codes.set(bytes, from)
    else for (let at = 0; at < piece.length; at++) codes[from + at] = piece.charCodeAt(at)
  }
  return codes
}
