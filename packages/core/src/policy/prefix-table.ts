/** Finds every stored prefix of a text in one pass over it. May find more than there are (by a rolling hash), never fewer. */
export class PrefixTable<Item> {
  readonly #lengths: number[] = []
  readonly #found = new Map<number, Item[]>()

  add(prefix: string, item: Item): void {
    let hash = 0
    for (let at = 0; at < prefix.length; at += 1) hash = roll(hash, prefix.charCodeAt(at))
    const items = this.#found.get(hash)
    if (items) items.push(item)
    else this.#found.set(hash, [item])
    if (this.#lengths.includes(prefix.length)) return
    this.#lengths.push(prefix.length)
    this.#lengths.sort((a, b) => a - b)
  }

  /** Calls `visit` with the items of each prefix `text` starts with. */
  search(text: string, visitor: { visit(items: readonly Item[]): void }): void {
    let hash = 0
    let at = 0
    for (const length of this.#lengths) {
      if (length > text.length) return
      for (; at < length; at += 1) hash = roll(hash, text.charCodeAt(at))
      const items = this.#found.get(hash)
      if (items) visitor.visit(items)
    }
  }
}

function roll(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) & 0x3fffffff
}
