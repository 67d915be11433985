/** A set of words that can only be asked. */
export type WordSet = Pick<ReadonlySet<string>, 'has'>

/** A list of words from a knowledge file. The index is built on first use, so that loading a list costs nothing. */
export class Words implements Iterable<string> {
  readonly #lists: readonly Iterable<string>[]
  #index: Set<string> | undefined

  constructor(lists: readonly Iterable<string>[]) {
    this.#lists = lists
  }

  has(word: string): boolean {
    this.#index ??= new Set(this)
    return this.#index.has(word)
  }

  *[Symbol.iterator](): Iterator<string> {
    for (const list of this.#lists) yield* list
  }
}

/** Values by word from a knowledge file, indexed on first use. Untrusted words are safe as keys. */
export class WordTable<T> {
  readonly #rows: Readonly<Record<string, T>>
  #index: Map<string, T> | undefined

  constructor(rows: Readonly<Record<string, T>>) {
    this.#rows = rows
  }

  get(word: string): T | undefined {
    this.#index ??= new Map(Object.entries(this.#rows))
    return this.#index.get(word)
  }

  has(word: string): boolean {
    return this.get(word) !== undefined
  }
}

/** A list as the compiled modules write it. */
export function words(list: readonly string[]): Words {
  return new Words([list])
}

/** Every word of several lists. */
export function union(...lists: readonly Iterable<string>[]): Words {
  return new Words(lists)
}

/** A table as the compiled modules write it. */
export function table<T>(rows: Readonly<Record<string, T>>): WordTable<T> {
  return new WordTable(rows)
}
