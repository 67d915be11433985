/** Where stored prefixes end: their length, and which characters they end with. */
interface Ending {
  readonly length: number
  /** By code modulo 128: most texts are ruled out before anything is looked up. */
  readonly lasts: Uint8Array
}

/** Finds every stored prefix of a text in one pass over it. May find more than there are (by a rolling hash), never fewer. */
export class PrefixTable<Item> {
  readonly #endings: Ending[] = []
  readonly #found = new Map<number, Item[]>()
  /** Under the empty prefix. */
  #always: readonly Item[] | null = null

  add(prefix: string, item: Item): void {
    let hash = 0
    for (let at = 0; at < prefix.length; at += 1) hash = roll(hash, prefix.charCodeAt(at))
    const items = this.#found.get(hash)
    if (items) items.push(item)
    else this.#found.set(hash, [item])
    if (prefix !== '') this.#endingAt(prefix.length).lasts[prefix.charCodeAt(prefix.length - 1) & 127] = 1
    else this.#always = this.#found.get(0) ?? null
  }

  #endingAt(length: number): Ending {
    const known = this.#endings.find((ending) => ending.length === length)
    if (known) return known
    const ending = { length, lasts: new Uint8Array(128) }
    this.#endings.push(ending)
    this.#endings.sort((a, b) => a.length - b.length)
    return ending
  }

  /** Calls `visit` with the items of each prefix `text` starts with. */
  search(text: string, visitor: { visit(items: readonly Item[]): void }): void {
    let hash = 0
    let at = 0
    if (this.#always) visitor.visit(this.#always)
    for (const { length, lasts } of this.#endings) {
      if (length > text.length) return
      if (lasts[text.charCodeAt(length - 1) & 127] === 0) continue
      for (; at < length; at += 1) hash = roll(hash, text.charCodeAt(at))
      const items = this.#found.get(hash)
      if (items) visitor.visit(items)
    }
  }
}

function roll(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) & 0x3fffffff
}
