import { describe, expect, it } from 'vitest'
import { signCheckpoint } from '../checkpoint.ts'
import { crypto, makeSigner } from '../fixture.mts'
import { append, type MemoryJournal, memoryJournal, storeOver } from '../memory-journal.mts'
import { cosign, cosignedAt, witnessKey } from './cosignature.ts'
import { followJournal } from './follow-journal.ts'

const origin = 'countersign/gate'
const [gate, witness] = [makeSigner(), makeSigner('w1')]
const EMPTY = { size: 0, frontier: '' }

function follow(journal: MemoryJournal, seen = EMPTY, notes: readonly string[] = []) {
  return followJournal(storeOver(journal), { seen, notes, crypto, origin, publicKeys: [gate.publicKey] })
}

const sign = (journal: MemoryJournal, signer = gate) => signCheckpoint(journal.head, signer, crypto, origin)

function grow(journal: MemoryJournal, count: number): MemoryJournal {
  for (let at = 0; at < count; at += 1) append(journal)
  return journal
}

describe('a witness', () => {
  it('follows a journal that only grows, and finds the newest signed checkpoint', async () => {
    const journal = memoryJournal(5)
    const first = await follow(journal)
    expect(first).toEqual({ kind: 'consistent', head: journal.head })
    const seen = journal.head
    grow(journal, 1200)
    const note = sign(journal)
    journal.checkpoints.push({ size: 1205, note })
    grow(journal, 3)
    expect(await follow(journal, seen)).toEqual({
      kind: 'consistent',
      head: journal.head,
      newest: { size: 1205, note },
    })
    expect(await follow(journal, journal.head)).toEqual({ kind: 'consistent', head: journal.head })
  })

  it('reports a journal that is shorter than it was, or than a gate signed', async () => {
    expect(await follow(memoryJournal(4), memoryJournal(6).head)).toEqual({ kind: 'rolled-back', known: 6, size: 4 })
    const signed = sign(memoryJournal(9))
    expect(await follow(memoryJournal(7), EMPTY, [signed])).toEqual({ kind: 'rolled-back', known: 9, size: 7 })
  })

  it('reports another history of the same or a greater length', async () => {
    const seen = memoryJournal(6).head
    const other = memoryJournal(5)
    append(other, '{"another":"line"}')
    expect(await follow(other, seen)).toMatchObject({ kind: 'forked' })
    expect(await follow(grow(other, 10), seen)).toMatchObject({ kind: 'forked' })
  })

  it('reports a gate that signed two histories', async () => {
    const journal = memoryJournal(8)
    const other = memoryJournal(7)
    append(other, '{"another":"line"}')
    expect(await follow(journal, EMPTY, [sign(journal), sign(other)])).toEqual({ kind: 'forked', size: 8 })
    expect(await follow(journal, journal.head, [sign(other)])).toEqual({ kind: 'forked', size: 8 })
    // What nobody on the list signed proves nothing.
    expect(await follow(journal, EMPTY, [sign(other, makeSigner())])).toMatchObject({ kind: 'consistent' })
  })

  it('believes the lines, not the hashes or the head of the store', async () => {
    const journal = memoryJournal(6)
    const [row] = journal.rows
    if (row !== undefined) journal.rows[0] = { ...row, line: '{"another":"line"}' }
    expect(await follow(journal)).toMatchObject({ kind: 'forked' })
    const gap = memoryJournal(6)
    gap.rows.splice(2, 1)
    expect(await follow(gap)).toMatchObject({ kind: 'forked' })
  })

  it('says what was archived before it saw it', async () => {
    const journal = memoryJournal(6)
    journal.rows.splice(0, 4)
    expect(await follow(journal)).toEqual({ kind: 'archived', from: 1 })
  })
})

describe('a cosignature', () => {
  const note = sign(memoryJournal(3))
  const key = witnessKey(witness, crypto)
  const cosigned = cosign(note, witness, 1_700_000_000, crypto)

  it('is a line of its own below the gate’s, with its time (C2SP cosignature/v1)', () => {
    expect(cosigned.startsWith(note)).toBe(true)
    expect(cosigned.slice(note.length)).toMatch(/^— countersign-witness\/w1 [A-Za-z0-9+/=]+\n$/)
    const bytes = Buffer.from(cosigned.trimEnd().split(' ').at(-1) ?? '', 'base64')
    expect([bytes.length, bytes.readBigUInt64BE(4)]).toEqual([4 + 8 + 64, 1_700_000_000n])
    expect(cosignedAt(cosigned, key, crypto)).toBe(1_700_000_000)
  })

  it('counts only with the witness’s key, for the same bytes', () => {
    expect(cosignedAt(note, key, crypto)).toBeUndefined()
    expect(cosignedAt(cosigned, witnessKey(makeSigner('w1'), crypto), crypto)).toBeUndefined()
    expect(cosignedAt(cosigned.replace('\n3\n', '\n4\n'), key, crypto)).toBeUndefined()
    expect(cosignedAt(cosigned, `${key}x`, crypto)).toBeUndefined()
    expect(cosignedAt(cosigned, 'nonsense', crypto)).toBeUndefined()
  })
})
