import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'

/** A unit is about a microsecond on a machine that is busy with other things. */
const MAX_WORK = 200_000
const OF_A_READING = 50
const OF_A_VALUE = 4
/** Any text may be a path, or name one by its key. */
const OF_A_TEXT = 12
const OF_A_PATH = 40
const OF_A_PART = 15
/** Of one character: of a key, of text that is searched, of JSON in a text, of what is parsed as code. */
const OF_KEY = 1 / 4
const OF_TEXT = 1 / 8
const OF_JSON = 1 / 2
const OF_CODE = 3 / 4

/**
 * How much work the calls inside one call may be, for all the tools that each of them may mean. What does not fit is not
 * begun. INVARIANT: L10, one call keeps nobody else waiting, however it is made up.
 */
export class InnerWork {
  #left = MAX_WORK
  #isSpent = false
  readonly #weights = new Map<JsonObject, number>()

  /** Whether something did not fit. */
  get isSpent(): boolean {
    return this.#isSpent
  }

  /** To be asked before arguments are read, `times` times. */
  takesArguments(args: JsonObject, times: number): boolean {
    const weight = this.#weights.get(args) ?? weightOf(args)
    this.#weights.set(args, weight)
    return this.#takes(times * (OF_A_READING + weight))
  }

  /** To be asked before this many characters are parsed. */
  takesCode(length: number): boolean {
    return this.#takes(length * OF_CODE)
  }

  /** To be asked before the parts of a command are rated. */
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

/** What reading these arguments costs; counts no further than there could ever be room. */
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
