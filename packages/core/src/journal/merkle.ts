/**
 * The Merkle tree of the journal, as in RFC 6962, kept as a compact range (the frontier). A span is the compact range of
 * archived entries.
 * @module
 */

import { CountersignError } from '../errors.ts'
import type { Crypto } from '../ports/crypto.ts'
import type { Span } from '../ports/store.ts'
import { hexInto } from './hex.ts'

/** The hash function of the tree. */
export type Hasher = Pick<Crypto, 'sha256'>

/** Hex digits of one hash. */
const HASH_HEX = 64

/** RFC 6962 leaf hash of a line: SHA-256(0x00 ‖ UTF-8 line), hex. */
export function leafHash(line: string, crypto: Hasher): string {
  return crypto.sha256(`\u0000${line}`)
}

/** Reused for every node: hashing is synchronous, and allocating the bytes would cost as much as hashing them. */
const NODE = Uint8Array.of(1, ...new Uint8Array(64))

/** RFC 6962 node hash: SHA-256(0x01 ‖ left ‖ right), hex. */
export function nodeHash(left: string, right: string, crypto: Hasher): string {
  if (left.length !== HASH_HEX || right.length !== HASH_HEX || !hexInto(left, NODE, 1) || !hexInto(right, NODE, 33)) {
    throw new CountersignError(
      'CS_JOURNAL_DAMAGED',
      'a hash of the journal is malformed; run `countersign journal verify`',
    )
  }
  return crypto.sha256(NODE)
}

/** Grows a compact range by one leaf. The frontier of `size` leaves is one hash per set bit of `size`, widest first. */
export function appendLeaf(frontier: string, size: number, leaf: string, crypto: Hasher): string {
  return appendSubtree(frontier, size, leaf, 1, crypto)
}

/** Grows a compact range by the root of a full subtree of `width` leaves; `size` is a multiple of `width`. */
function appendSubtree(frontier: string, size: number, root: string, width: number, crypto: Hasher): string {
  let node = root
  let rest = frontier
  // Division, not shifts: a journal may pass 2^31 entries.
  for (let count = size / width; count % 2 === 1; count = (count - 1) / 2) {
    node = nodeHash(rest.slice(-HASH_HEX), node, crypto)
    rest = rest.slice(0, -HASH_HEX)
  }
  return rest + node
}

/** The tree's root from its frontier: what a checkpoint signs. */
export function rootOf(frontier: string, size: number, crypto: Hasher): string {
  if (frontier.length !== HASH_HEX * bits(size)) {
    throw new CountersignError(
      'CS_JOURNAL_DAMAGED',
      'the head of the journal is malformed; run `countersign journal verify`',
    )
  }
  if (size === 0) return crypto.sha256('')
  let root = frontier.slice(-HASH_HEX)
  for (let end = frontier.length - HASH_HEX; end > 0; end -= HASH_HEX) {
    root = nodeHash(frontier.slice(end - HASH_HEX, end), root, crypto)
  }
  return root
}

function bits(size: number): number {
  let count = 0
  for (let left = size; left > 0; left = Math.floor(left / 2)) count += left % 2
  return count
}

/** The widths of the full subtrees that cover the leaves from..to-1, left to right. */
function spanWidths(from: number, to: number): number[] {
  const widths: number[] = []
  for (let at = from; at < to; ) {
    let width = 1
    while (at % (width * 2) === 0 && at + width * 2 <= to) width *= 2
    widths.push(width)
    at += width
  }
  return widths
}

/** Whether a span is well-formed: rising bounds and one hash per subtree. */
export function isSpan(span: Span): boolean {
  const { from, to, nodes } = span
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 0 || to <= from) return false
  return nodes.length === HASH_HEX * spanWidths(from, to).length && /^[0-9a-f]+$/.test(nodes)
}

/** Grows a frontier from `span.from` to `span.to` leaves, without the leaves themselves. */
export function appendSpan(frontier: string, span: Span, crypto: Hasher): string {
  let grown = frontier
  let at = span.from
  spanWidths(span.from, span.to).forEach((width, index) => {
    grown = appendSubtree(grown, at, span.nodes.slice(index * HASH_HEX, (index + 1) * HASH_HEX), width, crypto)
    at += width
  })
  return grown
}

/** Folds leaves into spans, cut at the given bounds. */
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

  /** All spans so far, including the unfinished last one. */
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
