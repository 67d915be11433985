const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The printable text behind base64 of either alphabet; undefined when it is something else. Reads at most 512 characters. */
export function asciiOfBase64(text: string): string | undefined {
  if (text.length > 512) return undefined
  let decoded = ''
  let group = 0
  let bits = 0
  for (const letter of text.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/')) {
    const value = ALPHABET.indexOf(letter)
    if (value < 0) return undefined
    group = ((group << 6) | value) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    const code = (group >> bits) & 255
    if (code !== 10 && (code < 32 || code > 126)) return undefined
    decoded += String.fromCharCode(code)
  }
  return decoded
}
