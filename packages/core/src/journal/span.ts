import type { Span } from '../ports/store.ts'
import { appendSubtree, HASH_HEX, type Hasher, nodeHash } from './merkle.ts'

/** Widths of the full subtrees that together cover the leaves from..to-1, left to right: one way only to do it. */
export function spanWidths(from: number, to: number): number[] {
  const widths: number[] = []
  for (let at = from; at < to; ) {
    let width = 1
    while (at % (width * 2) === 0 && at + width * 2 <= to) width *= 2
    widths.push(width)
    at += width
  }
  return widths
}

/** Whether a span is a possible one: rising bounds and one hash per subtree. */
export function isSpan(span: Span): boolean {
  const { from, to, nodes } = span
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || to <= from) return false
  return nodes.length === HASH_HEX * spanWidths(from, to).length && /^[0-9a-f]+$/.test(nodes)
}

/** Grows a frontier of `span.from` leaves to `span.to` leaves without the leaves themselves. */
export function appendSpan(frontier: string, span: Span, crypto: Hasher): string {
  let grown = frontier
  let at = span.from
  spanWidths(span.from, span.to).forEach((width, index) => {
    grown = appendSubtree(grown, at, span.nodes.slice(index * HASH_HEX, (index + 1) * HASH_HEX), width, crypto)
    at += width
  })
  return grown
}

/** Folds leaves into spans, one for each pair of neighbouring bounds. */
export class SpanBuilder {
  readonly #crypto: Hasher
  readonly #bounds: ReadonlySet<number>
  readonly #spans: Span[] = []
  #from: number
  #size: number
  #stack: { readonly width: number; readonly hash: string }[] = []

  constructor(from: number, bounds: Iterable<number>, crypto: Hasher) {
    this.#from = from
    this.#size = from
    this.#bounds = new Set(bounds)
    this.#crypto = crypto
  }

  add(leaf: string): void {
    let node = { width: 1, hash: leaf }
    this.#size += 1
    for (;;) {
      const left = this.#stack.at(-1)
      if (left?.width !== node.width || (this.#size - node.width * 2) % (node.width * 2) !== 0) break
      this.#stack.pop()
      node = { width: node.width * 2, hash: nodeHash(left.hash, node.hash, this.#crypto) }
    }
    this.#stack.push(node)
    if (this.#bounds.has(this.#size)) this.#cut()
  }

  /** Every span so far; an open one is closed first. */
  spans(): readonly Span[] {
    if (this.#size > this.#from) this.#cut()
    return this.#spans
  }

  #cut(): void {
    this.#spans.push({ from: this.#from, to: this.#size, nodes: this.#stack.map((node) => node.hash).join('') })
    this.#stack = []
    this.#from = this.#size
  }
}
