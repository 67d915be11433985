import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromBase64, toBase64 } from '../call/base64.ts'
import { crypto } from './fixture.mts'
import { fromHex, toHex } from './hex.ts'
import { appendLeaf, appendSpan, isSpan, leafHash, nodeHash, rootOf, SpanBuilder } from './merkle.ts'
import {
  consistencyProof,
  frontierOf,
  inclusionProof,
  splitPoint,
  verifyConsistency,
  verifyInclusion,
} from './proof.mts'

/** Test vectors of the Certificate Transparency reference implementation: all bytes are ASCII. */
const LINES = ['', '\x00', '\x10', ' !', '01', '@ABC', 'PQRSTUVW', '`abcdefghijklmno']
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]

/** RFC 6962, 2.1, verbatim. */
function naiveRoot(leaves: readonly string[]): string {
  if (leaves.length === 0) return crypto.sha256('')
  if (leaves.length === 1) return leaves[0] as string
  const k = splitPoint(leaves.length)
  return nodeHash(naiveRoot(leaves.slice(0, k)), naiveRoot(leaves.slice(k)), crypto)
}

const leavesOf = (count: number) => Array.from({ length: count }, (_, index) => leafHash(`line ${index}`, crypto))
const someLeaves = fc.integer({ min: 0, max: 70 }).map(leavesOf)

describe('the Merkle tree', () => {
  it('has the roots of RFC 6962’s reference implementation', () => {
    const roots = LINES.map((_, index) => {
      const leaves = LINES.slice(0, index + 1).map((line) => leafHash(line, crypto))
      return rootOf(frontierOf(leaves, crypto), index + 1, crypto)
    })
    expect(roots).toEqual(ROOTS)
    expect(rootOf('', 0, crypto)).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
  })

  it('grows leaf by leaf to the root of the recursive definition', () => {
    fc.assert(
      fc.property(someLeaves, (leaves) => {
        expect(rootOf(frontierOf(leaves, crypto), leaves.length, crypto)).toBe(naiveRoot(leaves))
      }),
    )
  })

  it('keeps one hash for each set bit of its size, even above 2^31', () => {
    const big = 2 ** 33 + 1
    const grown = appendLeaf('a'.repeat(64) + 'b'.repeat(64), big, 'c'.repeat(64), crypto)
    expect(grown).toBe('a'.repeat(64) + nodeHash('b'.repeat(64), 'c'.repeat(64), crypto))
  })

  it('refuses a malformed frontier or hash', () => {
    expect(() => rootOf('', 1, crypto)).toThrow(/malformed/)
    for (const bad of ['', 'A'.repeat(64), `${'a'.repeat(63)}é`, 'g'.repeat(64)]) {
      expect(() => nodeHash(bad, 'a'.repeat(64), crypto)).toThrow(/malformed/)
    }
  })
})

describe('a proof', () => {
  it('proves every leaf at its index, and at no other', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(), fc.nat(), (size, a, b) => {
        const leaves = leavesOf(size)
        const [index, other] = [a % size, b % size]
        const root = naiveRoot(leaves)
        const proof = inclusionProof(leaves, index, crypto)
        expect(verifyInclusion(leaves[index] as string, index, size, proof, root, crypto)).toBe(true)
        expect(verifyInclusion(leaves[index] as string, other, size, proof, root, crypto)).toBe(index === other)
        expect(verifyInclusion(leafHash('else', crypto), index, size, proof, root, crypto)).toBe(false)
        expect(verifyInclusion(leaves[index] as string, index, size, [...proof, root], root, crypto)).toBe(false)
      }),
    )
  })

  it('proves every earlier tree to be a prefix of a later one, and no other tree', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.nat(), (size, at) => {
        const leaves = leavesOf(size)
        const old = { size: at % (size + 1), root: naiveRoot(leaves.slice(0, at % (size + 1))) }
        const now = { size, root: naiveRoot(leaves) }
        const proof = consistencyProof(leaves, old.size, crypto)
        expect(verifyConsistency(old, now, proof, crypto)).toBe(true)
        expect(verifyConsistency({ ...old, root: 'a'.repeat(64) }, now, proof, crypto)).toBe(false)
        expect(verifyConsistency(old, now, [...proof, 'a'.repeat(64)], crypto)).toBe(false)
        if (old.size > 0) expect(verifyConsistency(old, { ...now, root: 'a'.repeat(64) }, proof, crypto)).toBe(false)
      }),
    )
  })

  it('does not verify if it is junk', () => {
    expect(verifyInclusion('x', 0, 1, [], 'x', crypto)).toBe(false)
    expect(verifyInclusion('a'.repeat(64), 2, 1, [], 'a'.repeat(64), crypto)).toBe(false)
    expect(verifyConsistency({ size: 2, root: 'a' }, { size: 1, root: 'b' }, [], crypto)).toBe(false)
    expect(verifyConsistency({ size: 3, root: 'a'.repeat(64) }, { size: 9, root: 'b'.repeat(64) }, [], crypto)).toBe(
      false,
    )
  })
})

describe('a span', () => {
  it('replaces its leaves: the tree grows to the same frontier, wherever it is split', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 60 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
        fc.nat(),
        (size, cuts, start) => {
          const leaves = leavesOf(size)
          const from = start % size
          const builder = new SpanBuilder(from, cuts, crypto)
          for (const leaf of leaves.slice(from)) builder.add(leaf)
          const spans = builder.spans()
          expect(spans.every(isSpan)).toBe(true)
          const before = frontierOf(leaves.slice(0, from), crypto)
          expect(spans.reduce((frontier, span) => appendSpan(frontier, span, crypto), before)).toBe(
            frontierOf(leaves, crypto),
          )
          expect(spans.map((span) => span.to)).toEqual(
            [...new Set([...cuts.filter((cut) => cut > from && cut < size), size])].sort((a, b) => a - b),
          )
        },
      ),
    )
  })

  it('with a wrong number of hashes is invalid', () => {
    expect(isSpan({ from: 0, to: 4, nodes: 'a'.repeat(64) })).toBe(true)
    for (const span of [
      { from: 0, to: 4, nodes: 'a'.repeat(128) },
      { from: 1, to: 4, nodes: 'a'.repeat(64) },
      { from: 4, to: 4, nodes: '' },
      { from: -1, to: 0, nodes: 'a'.repeat(64) },
      { from: 0, to: 1, nodes: 'G'.repeat(64) },
    ])
      expect(isSpan(span)).toBe(false)
  })
})

describe('hex and base64', () => {
  it('round-trip, and encode like Node', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'))
        expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString('base64'))
        expect(fromHex(toHex(bytes))).toEqual(bytes)
        expect(fromBase64(toBase64(bytes))).toEqual(bytes)
      }),
    )
  })

  it('accept only one spelling', () => {
    for (const text of ['A', 'AA', 'AAA', 'AB==', 'AAB=', 'A===', 'AA==AA==', 'AA-_', ' AAA', 'AAAA\n'])
      expect(fromBase64(text)).toBeUndefined()
    for (const text of ['a', 'AB', 'é0', '0x']) expect(fromHex(text)).toBeUndefined()
  })
})
