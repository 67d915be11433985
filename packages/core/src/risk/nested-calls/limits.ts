import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'

const MAX_TEXT = 256 * 1024
/** Every name is rated with every set of arguments; the sum of all of them counts. */
const MAX_VALUES = 20_000
/** Long texts cost more, because they are searched. */
const TEXT_OF_ONE_VALUE = 128

/** INVARIANT: L10, bounds how much of a call is searched for nested calls. */
export class ReadLimit {
  #text = MAX_TEXT
  #values = MAX_VALUES

  get isSpent(): boolean {
    return this.#text < 0 || this.#values < 0
  }

  /** Call before parsing a text; false if it is beyond the limit. */
  takesText(text: string): boolean {
    this.#text -= text.length
    return !this.isSpent
  }

  /** Charges one set of arguments, rated `times` times. Stops counting at the limit. */
  chargeValues(value: Json, times: number): void {
    const rest: Json[] = [value]
    for (let next = rest.pop(); next !== undefined && !this.isSpent; next = rest.pop()) {
      this.#values -= times * (typeof next === 'string' ? 1 + Math.floor(next.length / TEXT_OF_ONE_VALUE) : 1)
      if (next !== null && typeof next === 'object') for (const one of Object.values(next)) rest.push(one)
    }
  }
}

/** One unit is about a microsecond on a busy machine. */
const MAX_WORK = 200_000
const OF_A_READING = 50
const OF_A_VALUE = 4
/** Any text may be a path. */
const OF_A_TEXT = 12
const OF_A_PATH = 40
const OF_A_PART = 15
/** Per character: of keys, of searched text, of JSON in a text, of parsed code. */
const OF_KEY = 1 / 4
const OF_TEXT = 1 / 8
const OF_JSON = 1 / 2
const OF_CODE = 3 / 4

/**
 * Bounds the work on the calls inside one call, for all the tools that each of them may mean. Work that doesn't fit is not
 * started. INVARIANT: L10, one call delays no other, whatever it contains.
 */
export class WorkBudget {
  #left = MAX_WORK
  #isSpent = false
  readonly #weights = new Map<JsonObject, number>()

  /** Whether some work did not fit. */
  get isSpent(): boolean {
    return this.#isSpent
  }

  /** Call before reading arguments `times` times. */
  takesArguments(args: JsonObject, times: number): boolean {
    const weight = this.#weights.get(args) ?? weightOf(args)
    this.#weights.set(args, weight)
    return this.#takes(times * (OF_A_READING + weight))
  }

  /** Call before parsing this many characters. */
  takesCode(length: number): boolean {
    return this.#takes(length * OF_CODE)
  }

  /** Call before rating the parts of a command. */
  takesParts(count: number): boolean {
    return this.#takes(count * OF_A_PART)
  }

  #takes(amount: number): boolean {
    const fits = amount <= this.#left
    if (fits) this.#left -= amount
    else this.#isSpent = true
    return fits
  }
}

/** The cost of reading these arguments. Stops counting at the maximum. */
function weightOf(args: JsonObject): number {
  let weight = 0
  const rest: Json[] = [args]
  for (let next = rest.pop(); next !== undefined && weight <= MAX_WORK; next = rest.pop()) {
    weight += OF_A_VALUE
    if (typeof next === 'string') weight += weightOfText(next)
    else if (next !== null && typeof next === 'object') {
      if (!isArray(next)) for (const key of Object.keys(next)) weight += key.length * OF_KEY
      for (const one of Object.values(next)) rest.push(one)
    }
  }
  return weight
}

function weightOfText(text: string): number {
  if (/^\s*[[{]/.test(text)) return text.length * OF_JSON
  return text.length * OF_TEXT + (/^[.~]|[/\\]/.test(text) ? OF_A_PATH : OF_A_TEXT)
}
