const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const VALUES = new Map<string, number>([...ALPHABET].map((letter, value) => [letter, value]))

/** Every two letters, by the twelve bits they stand for. */
const PAIRS: readonly string[] = [...ALPHABET].flatMap((first) => [...ALPHABET].map((second) => first + second))

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 3) {
    const group = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0)
    text += `${PAIRS[group >> 12]}${PAIRS[group & 4095]}`
  }
  const missing = (3 - (bytes.length % 3)) % 3
  return missing === 0 ? text : text.slice(0, -missing) + '='.repeat(missing)
}

/** The bytes of standard padded base64; undefined for anything else, also for a second spelling of the same bytes. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  const bytes = new Uint8Array((text.length / 4) * 3 - padding)
  let group = 0
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const value = i < text.length - padding ? VALUES.get(text.charAt(i)) : 0
    if (value === undefined) return undefined
    group = (group << 6) | value
    if (i % 4 !== 3) continue
    for (const shift of [16, 8, 0]) if (at < bytes.length) bytes[at++] = (group >> shift) & 255
    group = 0
  }
  return toBase64(bytes) === text ? bytes : undefined
}
