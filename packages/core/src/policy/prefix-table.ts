const MANY = -1

/** Where stored prefixes end: their length, and the last character they share. */
interface Ending {
  readonly length: number
  last: number
}

/** Finds every stored prefix of a text in one pass over it. May find more than there are (by a rolling hash), never fewer. */
export class PrefixTable<Item> {
  readonly #endings: Ending[] = []
  readonly #found = new Map<number, Item[]>()

  add(prefix: string, item: Item): void {
    let hash = 0
    for (let at = 0; at < prefix.length; at += 1) hash = roll(hash, prefix.charCodeAt(at))
    const items = this.#found.get(hash)
    if (items) items.push(item)
    else this.#found.set(hash, [item])
    const last = prefix === '' ? MANY : prefix.charCodeAt(prefix.length - 1)
    const ending = this.#endings.find((one) => one.length === prefix.length)
    if (ending) ending.last = ending.last === last ? last : MANY
    else {
      this.#endings.push({ length: prefix.length, last })
      this.#endings.sort((a, b) => a.length - b.length)
    }
  }

  /** Calls `visit` with the items of each prefix `text` starts with. */
  search(text: string, visitor: { visit(items: readonly Item[]): void }): void {
    let hash = 0
    let at = 0
    for (const { length, last } of this.#endings) {
      if (length > text.length) return
      if (last !== MANY && text.charCodeAt(length - 1) !== last) continue
      for (; at < length; at += 1) hash = roll(hash, text.charCodeAt(at))
      const items = this.#found.get(hash)
      if (items) visitor.visit(items)
    }
  }
}

function roll(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) & 0x3fffffff
}
