const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const VALUES: ReadonlyMap<string, number> = new Map([...ALPHABET].map((sign, at) => [sign, at]))

/** The text that base64 hides, byte by byte; null when it is no base64. */
export function decodeBase64(text: string): string | null {
  let decoded = ''
  let bits = 0
  let held = 0
  for (const sign of text) {
    if (sign === '=' || sign === '\n' || sign === ' ') continue
    const value = VALUES.get(sign === '-' ? '+' : sign === '_' ? '/' : sign)
    if (value === undefined) return null
    held = (held << 6) | value
    bits += 6
    if (bits < 8) continue
    bits -= 8
    decoded += String.fromCharCode((held >> bits) & 255)
    held &= (1 << bits) - 1
  }
  return decoded
}

/** The text that hexadecimal digits hide; null when there are others. */
export function decodeHex(text: string): string | null {
  const digits = text.replace(/\s+/g, '')
  if (digits.length % 2 === 1 || !/^[0-9a-fA-F]*$/.test(digits)) return null
  let decoded = ''
  for (let at = 0; at < digits.length; at += 2)
    decoded += String.fromCharCode(Number.parseInt(digits.slice(at, at + 2), 16))
  return decoded
}
