const LOWER = 1
const UPPER = 2
const DIGIT = 3
const OTHER = 4

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return LOWER
  if (code >= 65 && code <= 90) return UPPER
  if (code >= 48 && code <= 57) return DIGIT
  return OTHER
}

/** What the characters of a value are like, counted in one pass. */
export interface Texture {
  readonly length: number
  readonly lower: number
  readonly upper: number
  readonly digits: number
  readonly others: number
  /** Different characters. */
  readonly distinct: number
  /** Steps from one class to another; a capital that begins a word is no step, since names are written so. */
  readonly changes: number
  readonly vowels: number
  /** Shannon's, in bits a character. */
  readonly entropy: number
}

/** Longer values are judged by their beginning: a key is random from its first character. */
const MAX_LENGTH = 512

/** Counts a value. Linear, and bounded. */
export function textureOf(value: string): Texture {
  const length = Math.min(value.length, MAX_LENGTH)
  const seen = new Map<number, number>()
  const classes = [0, 0, 0, 0, 0]
  let changes = 0
  let vowels = 0
  let before = 0
  for (let i = 0; i < length; i++) {
    const code = value.charCodeAt(i)
    const now = classOf(code)
    seen.set(code, (seen.get(code) ?? 0) + 1)
    classes[now] = (classes[now] ?? 0) + 1
    if ('aeiouyAEIOUY'.includes(value.charAt(i))) vowels += 1
    if (now !== OTHER && before !== 0 && before !== now && !(before === UPPER && now === LOWER)) changes += 1
    // A sign between words, dates and folders says nothing about what it parts.
    before = now === OTHER ? 0 : now
  }
  let entropy = 0
  for (const count of seen.values()) entropy -= (count / length) * Math.log2(count / length)
  const [, lower = 0, upper = 0, digits = 0, others = 0] = classes
  return { length, lower, upper, digits, others, distinct: seen.size, changes, vowels, entropy }
}

/**
 * Whether a value looks drawn at random and not written by a person: many different characters for its length, and
 * classes that change more often than in words, names and paths. `least` is the shortest that can count.
 */
export function looksRandom(value: string, least: number): boolean {
  if (value.length < least) return false
  const texture = textureOf(value)
  const { length, digits, changes, entropy } = texture
  if (entropy < Math.min(3, Math.log2(length) - 1.1)) return false
  const letters = texture.lower + texture.upper
  if (digits === 0) return looksUnpronounceable(texture, letters)
  if (letters === 0) return false
  if (/^[0-9a-fA-F]+$/.test(value)) return changes >= length * 0.2
  return changes >= length * 0.2 || (changes >= 3 && length >= 20 && texture.vowels < letters * 0.28)
}

/** Letters alone: words have vowels, and names have few capitals. */
function looksUnpronounceable({ length, lower, upper, changes, vowels, others }: Texture, letters: number): boolean {
  if (letters < 16 || letters < length * 0.8) return false
  const capitals = lower > 0 && upper > letters * 0.25 && changes >= length * 0.15
  return capitals || (vowels < letters * 0.26 && others * 6 < length)
}
