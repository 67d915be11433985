import { CountersignError } from '../errors.ts'
import type { Crypto } from '../ports/crypto.ts'
import { hexInto } from './hex.ts'

/** What the tree needs of the world. */
export type Hasher = Pick<Crypto, 'sha256'>

/** Hex digits of one hash. */
export const HASH_HEX = 64

/** RFC 6962 leaf hash of a line: SHA-256(0x00 ‖ UTF-8 line), hex. */
export function leafHash(line: string, crypto: Hasher): string {
  return crypto.sha256(`\u0000${line}`)
}

/** Written anew for every node: hashing is synchronous, and making the bytes costs as much as hashing them. */
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
export function appendSubtree(frontier: string, size: number, root: string, width: number, crypto: Hasher): string {
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

/** The frontier of many leaves. */
export function frontierOf(leaves: readonly string[], crypto: Hasher): string {
  return leaves.reduce((frontier, leaf, size) => appendLeaf(frontier, size, leaf, crypto), '')
}

/** The largest power of two below `size` (RFC 6962's k); `size` is at least 2. */
export function splitPoint(size: number): number {
  let width = 1
  while (width * 2 < size) width *= 2
  return width
}

function bits(size: number): number {
  let count = 0
  for (let left = size; left > 0; left = Math.floor(left / 2)) count += left % 2
  return count
}
