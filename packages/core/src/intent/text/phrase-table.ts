/** One place of a phrase: its alternative words, and whether it may be empty. */
interface Place {
  readonly words: ReadonlySet<string>
  readonly isOptional: boolean
}

interface Phrase<T> {
  readonly text: string
  readonly value: T
  /** Of two equally long matches the first added wins. */
  readonly order: number
  /** Parsed on first use: most phrases never are. */
  places: readonly Place[] | null
}

/** The phrases that start with one word. */
interface Bucket<T> {
  readonly any: Phrase<T>[]
  readonly bySecond: Map<string, Phrase<T>[]>
}

/** The value of a phrase, and how many words matched. */
export interface PhraseMatch<T> {
  readonly value: T
  readonly length: number
}

/** The possible match lengths of a phrase fit into the bits of a number. */
const MAX_PLACES = 30

/**
 * Finds phrases in a sequence of words. In `i|we will not?`, `|` separates alternatives and `?` makes a place optional (alone
 * it is the question mark). The longest match wins; of equally long ones, the first added. A search reads no more words
 * than the longest phrase has, so a pass over a text is linear.
 */
export class PhraseTable<T> {
  /** Phrases of one word: by far the most common. */
  readonly #alone = new Map<string, Phrase<T>>()
  readonly #byFirst = new Map<string, Bucket<T>>()
  #count = 0

  add(text: string, value: T): void {
    const phrase: Phrase<T> = { text, value, order: this.#count++, places: null }
    const [first = '', second] = text.split(' ', 2)
    if (second === undefined && !first.includes('|')) {
      if (!this.#alone.has(first)) this.#alone.set(first, phrase)
    } else if (second === undefined || isOptional(first) || isOptional(second)) this.#addOpen(phrase)
    else
      for (const word of first.split('|')) {
        const { bySecond } = this.#bucket(word)
        for (const next of second.split('|')) {
          const known = bySecond.get(next)
          if (known === undefined) bySecond.set(next, [phrase])
          else known.push(phrase)
        }
      }
  }

  /** The longest phrase that starts at a word. */
  match(row: readonly { readonly word: string }[], from: number): PhraseMatch<T> | null {
    const first = row[from]?.word ?? ''
    let best = this.#alone.get(first) ?? null
    let longest = best === null ? 0 : 1
    const bucket = this.#byFirst.get(first)
    const second = row[from + 1]?.word
    for (const list of [bucket?.any, second === undefined ? undefined : bucket?.bySecond.get(second)])
      for (const phrase of list ?? []) {
        phrase.places ??= placesOf(phrase.text)
        const length = lengthOf(phrase.places, row, from)
        if (length < longest || length === 0) continue
        if (length === longest && best !== null && best.order < phrase.order) continue
        longest = length
        best = phrase
      }
    return best === null ? null : { value: best.value, length: longest }
  }

  #bucket(word: string): Bucket<T> {
    const known = this.#byFirst.get(word)
    if (known !== undefined) return known
    const made: Bucket<T> = { any: [], bySecond: new Map() }
    this.#byFirst.set(word, made)
    return made
  }

  /** A phrase whose first or second word is optional is indexed by every word it may start with. */
  #addOpen(phrase: Phrase<T>): void {
    phrase.places = placesOf(phrase.text)
    for (const place of phrase.places) {
      for (const word of place.words) {
        const { any } = this.#bucket(word)
        if (any.at(-1) !== phrase) any.push(phrase)
      }
      if (!place.isOptional) break
    }
  }
}

function isOptional(place: string): boolean {
  return place.length > 1 && place.endsWith('?')
}

function placesOf(text: string): readonly Place[] {
  return text.split(' ', MAX_PLACES).map(placeOf)
}

function placeOf(text: string): Place {
  const choices = (isOptional(text) ? text.slice(0, -1) : text).split('|')
  return { words: new Set(choices.filter((word) => word !== '')), isOptional: isOptional(text) }
}

/** The most words that a phrase can match; 0 without a match. Bit n of `taken`: n words can match. */
function lengthOf(places: readonly Place[], row: readonly { readonly word: string }[], from: number): number {
  let taken = 1
  for (const { words, isOptional } of places) {
    let next = isOptional ? taken : 0
    for (let bits = taken, count = 0; bits !== 0; bits >>>= 1, count++)
      if ((bits & 1) === 1 && words.has(row[from + count]?.word ?? '')) next |= 1 << (count + 1)
    if (next === 0) return 0
    taken = next
  }
  return 31 - Math.clz32(taken)
}
