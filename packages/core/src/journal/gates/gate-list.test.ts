import { describe, expect, it } from 'vitest'
import { fromBase64 } from '../../call/base64.ts'
import type { Approver } from '../../ports/approvers.ts'
import type { Signer } from '../../ports/crypto.ts'
import { signCheckpoint } from '../checkpoint.ts'
import { crypto, makeSigner } from '../fixture.mts'
import { leafHash } from '../merkle.ts'
import { frontierOf } from '../proof.mts'
import { journalKeys, readHeads } from '../signed-heads.ts'
import {
  firstGateList,
  followGateLists,
  gateKeysOf,
  type ListedGate,
  nextGateList,
  readGateList,
  type SignedGateList,
  writeGateList,
} from './gate-list.ts'

/** A gate's key under its own name: the first 16 hex digits of the key's hash. */
function gateKey(): Signer {
  const signer = makeSigner()
  return { ...signer, keyId: crypto.sha256(fromBase64(signer.publicKey) ?? new Uint8Array()).slice(0, 16) }
}

function listed({ keyId: id, publicKey }: Signer, name: string): ListedGate {
  return { id, name, publicKey, addedAt: 2, removedAfter: null }
}

const [one, two, three] = [gateKey(), gateKey(), gateKey()]
const ada: Approver = { id: 'ada', name: 'Ada', publicKey: 'AAAA' }
const first = firstGateList({ name: 'one', addedAt: 1 }, [ada], one)
const withTwo = add(first, two, one)
const WITHOUT_ADA = { approvers: [], removedApprovers: ['ada'] }
const refused = expect.objectContaining({ code: 'CS_GATES' })

function add(to: SignedGateList, gate: Signer, by: Signer): SignedGateList {
  return nextGateList(to, { gates: [...to.list.gates, listed(gate, 'more')] }, 2, { signer: by, crypto })
}

function follow(...lists: readonly SignedGateList[]): SignedGateList {
  return followGateLists(lists.map(writeGateList), undefined, crypto)
}

/** A version as somebody would write it who has the key of `by` and keeps no rule. */
function forge(after: SignedGateList, by: Signer, change: object): SignedGateList {
  const before = crypto.sha256(writeGateList(after))
  const list = { ...after.list, version: after.list.version + 1, before, by: by.keyId, ...change }
  const signing = { signer: by, crypto }
  // The rules are the verifier's: the text is signed like a true one's.
  const text = JSON.parse(writeGateList(nextGateList(first, {}, 1, { ...signing, signer: one })))
  const canonical = writeGateList({ ...text, list } as never)
  const body = canonical.slice('{"list":'.length, canonical.lastIndexOf(',"signature":'))
  return { list, signature: by.sign(`countersign/gates/v1\n${body}`) } as SignedGateList
}

describe('the list of gates', () => {
  it('begins with one gate, and each version is signed by a gate of the one before', () => {
    const withThree = add(withTwo, three, two)
    expect(follow(first, withTwo, withThree)).toEqual(withThree)
    expect(followGateLists([writeGateList(withThree)], withTwo, crypto)).toEqual(withThree)
    expect(followGateLists([], withTwo, crypto)).toEqual(withTwo)
    expect(withThree.list.gates.map(({ name }) => name)).toEqual(['one', 'more', 'more'])
  })

  it('names the journal after its first gate, and another journal is refused', () => {
    expect(first.list.journal).toBe(`countersign/${one.keyId}`)
    const texts = [first, withTwo].map(writeGateList)
    expect(followGateLists(texts, undefined, crypto, first.list.journal)).toEqual(withTwo)
    expect(() => followGateLists(texts, undefined, crypto, 'countersign/other')).toThrow(refused)
  })

  it('takes approvers with their order and keys', () => {
    const passkey = { credential: 'c', site: 'example.org', origins: ['https://example.org'] }
    const bob: Approver = { id: 'bob', name: 'Bob', kind: 'passkey', publicKey: 'BBBB', passkey }
    const next = nextGateList(first, { approvers: [ada, bob] }, 3, { signer: one, crypto })
    expect(follow(first, next).list.approvers).toEqual([ada, bob])
  })

  it('remembers removed approvers', () => {
    const without = nextGateList(withTwo, WITHOUT_ADA, 3, { signer: one, crypto })
    expect(follow(first, withTwo, without).list).toMatchObject(WITHOUT_ADA)
    expect(() => nextGateList(without, { approvers: [ada] }, 4, { signer: one, crypto })).toThrow(refused)
  })

  it('is not written if nobody would believe it', () => {
    expect(() => add(withTwo, three, three)).toThrow(refused)
    expect(() => nextGateList(withTwo, { gates: [] }, 3, { signer: one, crypto })).toThrow(refused)
    const gone = withTwo.list.gates.map((gate) => ({ ...gate, removedAfter: 5 }))
    expect(() => nextGateList(withTwo, { gates: gone }, 3, { signer: one, crypto })).toThrow(refused)
  })

  it.each<[string, () => SignedGateList]>([
    ['is signed by a gate that is not on it', () => forge(withTwo, three, {})],
    [
      'adds the gate that signs it',
      () => forge(withTwo, three, { gates: [...withTwo.list.gates, listed(three, 'me')] }),
    ],
    ['leaves out a gate', () => forge(withTwo, one, { gates: [listed(one, 'one')] })],
    ['has a gate twice', () => forge(withTwo, one, { gates: [...withTwo.list.gates, listed(two, 'again')] })],
    [
      'gives a gate another key',
      () => forge(withTwo, one, { gates: [listed(one, 'one'), { ...listed(three, 'more'), id: two.keyId }] }),
    ],
    ['names another journal', () => forge(withTwo, one, { journal: 'countersign/0123456789abcdef' })],
    ['skips a version', () => forge(withTwo, one, { version: 9 })],
    ['continues another version', () => forge(withTwo, one, { before: 'a'.repeat(64) })],
    ['has an approver twice', () => forge(withTwo, one, { approvers: [ada, ada] })],
    ['enrolls a removed approver', () => forge(withTwo, one, { removedApprovers: ['ada'] })],
    [
      'takes back a removed approver',
      () => forge(nextGateList(withTwo, WITHOUT_ADA, 3, { signer: one, crypto }), one, { removedApprovers: [] }),
    ],
    ['names another signer', () => forge(withTwo, one, { by: two.keyId })],
  ])('refuses a version that %s', (_, next) => {
    expect(follow(first, withTwo)).toEqual(withTwo)
    const after = next()
    const known = after.list.before === withTwo.list.before ? first : withTwo
    expect(() => followGateLists([writeGateList(after)], known, crypto)).toThrow(refused)
  })

  it('takes what the forger of these tests signs, if it keeps the rules', () => {
    const next = forge(withTwo, two, { approvers: [] })
    expect(follow(first, withTwo, next)).toEqual(next)
  })

  it('refuses a list that begins in the middle, with two gates, or under another name', () => {
    expect(() => follow(withTwo)).toThrow(refused)
    expect(() => follow()).toThrow(refused)
    const gates = [listed(one, 'one'), listed(two, 'two')]
    const two_ = { ...first, list: { ...first.list, gates } }
    expect(() => follow(two_)).toThrow(refused)
    expect(() => follow({ ...first, list: { ...first.list, journal: 'countersign/else' } })).toThrow(refused)
  })

  it('refuses any changed byte, unknown keys and other spellings', () => {
    const text = writeGateList(withTwo)
    for (let at = 0; at < text.length; at += 1) {
      const changed = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
      expect(() => followGateLists([writeGateList(first), changed], undefined, crypto), `byte ${at}`).toThrow(refused)
    }
    expect(() => readGateList(text.replace('{"list"', '{"extra":1,"list"'))).toThrow(refused)
    expect(() => readGateList(` ${text}`)).toThrow(refused)
    expect(() => readGateList(JSON.stringify(JSON.parse(text), null, 1))).toThrow(refused)
    expect(() => readGateList('null')).toThrow(refused)
    expect(() => readGateList('"'.repeat(5_000_000))).toThrow(refused)
  })
})

describe('a removed gate', () => {
  const gates = withTwo.list.gates.map((gate) => (gate.id === two.keyId ? { ...gate, removedAfter: 2 } : gate))
  const without = nextGateList(withTwo, { gates }, 4, { signer: one, crypto })

  it('can no longer change the list, and is not taken back', () => {
    expect(() => add(without, three, two)).toThrow(refused)
    expect(() => follow(first, withTwo, without, forge(without, two, {}))).toThrow(refused)
    const back = without.list.gates.map((gate) => ({ ...gate, removedAfter: null }))
    expect(() => follow(first, withTwo, without, forge(without, one, { gates: back }))).toThrow(refused)
  })

  it('keeps its earlier checkpoints, and signs no later ones', () => {
    const keys = journalKeys({ signer: one, gates: gateKeysOf(() => without) })
    expect(keys).toEqual({
      origin: first.list.journal,
      publicKeys: [one.publicKey],
      removedKeys: [{ publicKey: two.publicKey, upTo: 2 }],
    })
    const leaves = ['a', 'b', 'c'].map((line) => leafHash(line, crypto))
    const note = (size: number, by: Signer) =>
      signCheckpoint({ size, frontier: frontierOf(leaves.slice(0, size), crypto) }, by, crypto, keys.origin)
    const stored = [
      { size: 1, note: note(1, one) },
      { size: 2, note: note(2, two) },
      { size: 3, note: note(3, two) },
      { size: 3, note: note(3, three) },
    ]
    const { heads, damages } = readHeads(stored, { crypto, ...keys }, 3)
    expect(heads.map(({ size }) => size)).toEqual([1, 2])
    expect(damages.map(({ kind, seq }) => [kind, seq])).toEqual([
      ['bad-signature', 3],
      ['bad-signature', 3],
    ])
  })
})
