/** Inclusion and consistency proofs of RFC 6962: an independent check of the tree, for tests. */
import { appendLeaf, type Hasher, nodeHash, rootOf } from './merkle.ts'

/** The frontier of a list of leaves. */
export function frontierOf(leaves: readonly string[], crypto: Hasher): string {
  return leaves.reduce((frontier, leaf, size) => appendLeaf(frontier, size, leaf, crypto), '')
}

/** The largest power of two below `size` (RFC 6962's k); `size` is at least 2. */
export function splitPoint(size: number): number {
  let width = 1
  while (width * 2 < size) width *= 2
  return width
}

/** Hashes that prove a leaf at `index` in the tree over `leaves` (RFC 6962, 2.1.1). */
export function inclusionProof(leaves: readonly string[], index: number, crypto: Hasher): readonly string[] {
  const proof: string[] = []
  let [from, to] = [0, leaves.length]
  while (to - from > 1) {
    const middle = from + splitPoint(to - from)
    const right = index >= middle
    proof.push(rangeRoot(leaves, right ? from : middle, right ? middle : to, crypto))
    if (right) from = middle
    else to = middle
  }
  return proof.reverse()
}

/** Whether `proof` proves `leaf` at `index` in the tree with this size and root. Total: junk is `false`. */
export function verifyInclusion(
  leaf: string,
  index: number,
  size: number,
  proof: readonly string[],
  root: string,
  crypto: Hasher,
): boolean {
  if (!Number.isSafeInteger(size) || !Number.isSafeInteger(index) || index < 0 || index >= size) return false
  if (![leaf, root, ...proof].every(isHash)) return false
  let [at, last, hash] = [index, size - 1, leaf]
  for (const sibling of proof) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      hash = nodeHash(sibling, hash, crypto)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      hash = nodeHash(hash, sibling, crypto)
    }
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && hash === root
}

/** Hashes that prove the first `size` leaves to be a prefix of the tree over `leaves` (RFC 6962, 2.1.2). */
export function consistencyProof(leaves: readonly string[], size: number, crypto: Hasher): readonly string[] {
  if (size === 0 || size === leaves.length) return []
  const proof: string[] = []
  let [from, to] = [0, leaves.length]
  while (size !== to) {
    const middle = from + splitPoint(to - from)
    const right = size > middle
    proof.push(rangeRoot(leaves, right ? from : middle, right ? middle : to, crypto))
    if (right) from = middle
    else to = middle
  }
  if (from > 0) proof.push(rangeRoot(leaves, from, to, crypto))
  return proof.reverse()
}

/** Whether `proof` proves the tree `old` to be a prefix of the tree `now`. Total: junk is `false`. */
export function verifyConsistency(
  old: { readonly size: number; readonly root: string },
  now: { readonly size: number; readonly root: string },
  proof: readonly string[],
  crypto: Hasher,
): boolean {
  if (!Number.isSafeInteger(old.size) || !Number.isSafeInteger(now.size) || old.size < 0 || old.size > now.size)
    return false
  if (![old.root, now.root, ...proof].every(isHash)) return false
  if (old.size === now.size) return proof.length === 0 && old.root === now.root
  if (old.size === 0) return proof.length === 0 && old.root === crypto.sha256('')
  let [at, last] = [old.size - 1, now.size - 1]
  while (at % 2 === 1) [at, last] = [half(at), half(last)]
  const path = [...proof]
  const seed = at === 0 ? old.root : path.shift()
  if (seed === undefined) return false
  let [before, after] = [seed, seed]
  for (const hash of path) {
    if (last === 0) return false
    if (at % 2 === 1 || at === last) {
      before = nodeHash(hash, before, crypto)
      after = nodeHash(hash, after, crypto)
      while (at % 2 === 0 && at !== 0) [at, last] = [half(at), half(last)]
    } else {
      after = nodeHash(after, hash, crypto)
    }
    ;[at, last] = [half(at), half(last)]
  }
  return last === 0 && before === old.root && after === now.root
}

function rangeRoot(leaves: readonly string[], from: number, to: number, crypto: Hasher): string {
  return rootOf(frontierOf(leaves.slice(from, to), crypto), to - from, crypto)
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

function half(count: number): number {
  return Math.floor(count / 2)
}
