/** A list of words from a knowledge file. The index is built on first use, so that loading a list costs nothing. */
export class Words implements Iterable<string> {
  readonly #list: readonly string[]
  #index: Set<string> | undefined

  constructor(list: readonly string[]) {
    this.#list = list
  }

  has(word: string): boolean {
    this.#index ??= new Set(this.#list)
    return this.#index.has(word)
  }

  [Symbol.iterator](): Iterator<string> {
    return this.#list[Symbol.iterator]()
  }
}

/** Values by word from a knowledge file, indexed on first use. Words from outside are safe as keys. */
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

/** Marks a list of the compiled knowledge. */
export function words(list: readonly string[]): Words {
  return new Words(list)
}

/** Marks a table of the compiled knowledge. */
export function table<T>(rows: Readonly<Record<string, T>>): WordTable<T> {
  return new WordTable(rows)
}
