/** The characters (one for each byte) of base64 in either alphabet, also wrapped or unpadded; null for anything else. */
export function decodeBase64(text: string): string | null {
  const digits = text
    .replace(/[=\n ]/g, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  if (!/^[A-Za-z0-9+/]*$/.test(digits)) return null
  // A single digit at the end is not a byte.
  return atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits)
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}

/** The bytes of standard padded base64; undefined for anything else, also for another spelling of the same bytes. */
export function fromBase64(text: string): Uint8Array | undefined {
  const decoded = decodeBase64(text)
  if (decoded === null) return undefined
  const bytes = Uint8Array.from(decoded, (character) => character.charCodeAt(0))
  return toBase64(bytes) === text ? bytes : undefined
}
