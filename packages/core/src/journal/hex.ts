const DIGITS = '0123456789abcdef'
const PAIRS: readonly string[] = Array.from({ length: 256 }, (_, byte) => `${DIGITS[byte >> 4]}${DIGITS[byte & 15]}`)

const VALUES = new Uint8Array(128).fill(255)
for (let digit = 0; digit < 16; digit++) VALUES[DIGITS.charCodeAt(digit)] = digit

/** Bytes as lower-case hex. */
export function toHex(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += PAIRS[byte]
  return text
}

/** Decodes lower-case hex into `out` at `offset`; false when the text is not lower-case hex. */
export function hexInto(text: string, out: Uint8Array, offset: number): boolean {
  let bad = text.length & 1
  for (let i = 0, at = offset; i < text.length; i += 2, at++) {
    const high = VALUES[text.charCodeAt(i) & 127] ?? 255
    const low = VALUES[text.charCodeAt(i + 1) & 127] ?? 255
    bad |= (high | low) & 240
    bad |= (text.charCodeAt(i) | text.charCodeAt(i + 1)) >> 7
    out[at] = (high << 4) | low
  }
  return bad === 0
}

/** The bytes of lower-case hex; undefined for any other text. */
export function fromHex(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(text.length >> 1)
  return hexInto(text, bytes, 0) ? bytes : undefined
}
