import type { Json } from '../../call/json/json.ts'

const MAX_TEXT = 256 * 1024
/** Every name is rated with every set of arguments: what counts is the sum of them all. */
const MAX_VALUES = 20_000
/** A text costs by its length as well, since it is searched. */
const TEXT_OF_ONE_VALUE = 128

/** How much of what is inside a call is read; more is a reason to be careful. INVARIANT: L10. */
export class InnerBudget {
  #text = MAX_TEXT
  #values = MAX_VALUES

  get isSpent(): boolean {
    return this.#text < 0 || this.#values < 0
  }

  /** To be asked before a text is parsed: false where it is beyond what is read. */
  takesText(text: string): boolean {
    this.#text -= text.length
    return !this.isSpent
  }

  /** Charges one set of arguments, rated `times` times; counts no further than there is room. */
  chargeValues(value: Json, times: number): void {
    const rest: Json[] = [value]
    for (let next = rest.pop(); next !== undefined && !this.isSpent; next = rest.pop()) {
      this.#values -= times * (typeof next === 'string' ? 1 + Math.floor(next.length / TEXT_OF_ONE_VALUE) : 1)
      if (next !== null && typeof next === 'object') for (const one of Object.values(next)) rest.push(one)
    }
  }
}
