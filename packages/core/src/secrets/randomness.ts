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

/** Character statistics of a value. */
export interface CharacterStatistics {
  readonly length: number
  readonly lower: number
  readonly upper: number
  readonly digits: number
  readonly others: number
  /** Different characters. */
  readonly distinct: number
  /** Changes from one class to another, except from a capital to lower case, as names are written. */
  readonly changes: number
  readonly vowels: number
  /** Shannon entropy in bits per character. */
  readonly entropy: number
}

/** Longer values are judged by their start: a key is random from its first character. */
const MAX_LENGTH = 512

/** Counts the characters of a value. Linear and bounded. */
export function characterStatistics(value: string): CharacterStatistics {
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
    // Separators between words, dates and folders are not a change.
    before = now === OTHER ? 0 : now
  }
  let entropy = 0
  for (const count of seen.values()) entropy -= (count / length) * Math.log2(count / length)
  const [, lower = 0, upper = 0, digits = 0, others = 0] = classes
  return { length, lower, upper, digits, others, distinct: seen.size, changes, vowels, entropy }
}

/**
 * Whether a value looks random, not written by a person: many different characters for its length, and classes that change
 * more often than in words, names and paths. Values shorter than `least` never count.
 */
export function looksRandom(value: string, least: number): boolean {
  if (value.length < least) return false
  const statistics = characterStatistics(value)
  const { length, digits, changes, entropy } = statistics
  if (entropy < Math.min(3, Math.log2(length) - 1.1)) return false
  const letters = statistics.lower + statistics.upper
  if (digits === 0) return looksUnpronounceable(statistics, letters)
  if (letters === 0) return false
  if (/^[0-9a-fA-F]+$/.test(value)) return changes >= length * 0.2
  return changes >= length * 0.2 || (changes >= 3 && length >= 20 && statistics.vowels < letters * 0.28)
}

/** Only letters: words have vowels, and names have few capitals. */
function looksUnpronounceable(
  { length, lower, upper, changes, vowels, others }: CharacterStatistics,
  letters: number,
): boolean {
  if (letters < 16 || letters < length * 0.8) return false
  const capitals = lower > 0 && upper > letters * 0.25 && changes >= length * 0.15
  return capitals || (vowels < letters * 0.26 && others * 6 < length)
}
