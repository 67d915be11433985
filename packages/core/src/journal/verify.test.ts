import { beforeEach, describe, expect, it } from 'vitest'
import { signCheckpoint } from './checkpoint.ts'
import type { DamageKind } from './damage.ts'
import { crypto, makeSigner } from './fixture.mts'
import { append, type MemoryJournal, memoryJournal, storeOver } from './memory-journal.mts'
import { leafHash } from './merkle.ts'
import type { VerifiedHead } from './tree-check.ts'
import { verifyExport, verifyJournal } from './verify.ts'

const signer = makeSigner()
const origin = 'test'
const SIZE = 7
let journal: MemoryJournal
let kept: string[]

beforeEach(() => {
  journal = memoryJournal(4)
  kept = [signCheckpoint(journal.head, signer, crypto, origin)]
  journal.checkpoints.push({ size: 4, note: kept[0] as string })
  for (let i = 4; i < SIZE; i++) append(journal)
  kept.push(signCheckpoint(journal.head, signer, crypto, origin))
})

const options = () => ({ crypto, publicKeys: [signer.publicKey], kept, origin })
const verify = () => verifyJournal(storeOver(journal), options())

async function damageOf(): Promise<{ kind: DamageKind; seq: number; through: number } | 'intact'> {
  const verdict = await verify()
  return verdict.kind === 'intact'
    ? 'intact'
    : { kind: verdict.damage.kind, seq: verdict.damage.seq, through: verdict.damage.through }
}

/** Rows as left by an attacker who renumbers the rest. */
const renumbered = (rows: readonly { line: string; leaf: string }[]) =>
  rows.map((row, index) => ({ ...row, seq: index + 1 }))

describe('verifying a journal', () => {
  it('accepts a sound one, and reports how much is signed', async () => {
    append(journal)
    expect(await verify()).toEqual({
      kind: 'intact',
      size: 8,
      root: expect.any(String),
      frontier: journal.head.frontier,
      archived: 0,
      signedTo: 7,
      keptTo: 7,
      unproven: 0,
    })
  })

  it('accepts an empty one', async () => {
    expect((await verifyJournal(storeOver(memoryJournal(0)), { ...options(), kept: [] })).kind).toBe('intact')
  })

  it('reports every flipped byte of every line and every stored hash as changed', async () => {
    for (const row of journal.rows) {
      for (const column of ['line', 'leaf'] as const) {
        for (let at = 0; at < row[column].length; at++) {
          const flipped =
            row[column].slice(0, at) + String.fromCharCode(row[column].charCodeAt(at) ^ 1) + row[column].slice(at + 1)
          const rows = journal.rows.map((one) => (one === row ? { ...row, [column]: flipped } : one))
          const verdict = await verifyJournal(storeOver({ ...journal, rows }), options())
          expect(verdict, `entry ${row.seq}, ${column} ${at}`).toMatchObject({
            damage: { kind: 'changed', seq: row.seq },
          })
        }
      }
    }
  })

  it('reports a dropped entry as missing, whether or not the rest is renumbered', async () => {
    for (let at = 0; at < SIZE - 1; at++) {
      const rows = journal.rows.toSpliced(at, 1)
      for (const variant of [rows, renumbered(rows)]) {
        const verdict = await verifyJournal(storeOver({ ...journal, rows: variant }), options())
        expect(verdict).toMatchObject({ damage: { kind: 'missing', seq: at + 1, through: at + 1 } })
      }
    }
  })

  it('reports a copied entry as a duplicate', async () => {
    for (let at = 0; at < SIZE; at++) {
      const rows = renumbered(journal.rows.toSpliced(at + 1, 0, journal.rows[at] as never))
      const verdict = await verifyJournal(
        storeOver({ ...journal, rows, head: { ...journal.head, size: SIZE + 1 } }),
        options(),
      )
      expect(verdict).toMatchObject({ damage: { kind: 'doubled', seq: at + 2 } })
    }
  })

  it('reports every pair of swapped entries, with or without their hashes', async () => {
    for (let a = 0; a < SIZE; a++) {
      for (let b = a + 1; b < SIZE; b++) {
        const [one, two] = [journal.rows[a], journal.rows[b]] as never as [
          { line: string; leaf: string; seq: number },
          { line: string; leaf: string; seq: number },
        ]
        const whole = journal.rows.with(a, { ...two, seq: a + 1 }).with(b, { ...one, seq: b + 1 })
        const lines = journal.rows.with(a, { ...one, line: two.line }).with(b, { ...two, line: one.line })
        for (const rows of [whole, lines]) {
          expect(await verifyJournal(storeOver({ ...journal, rows }), options())).toMatchObject({
            damage: { kind: 'swapped', seq: a + 1 },
          })
        }
      }
    }
  })

  it('reports entries removed from the end as truncated, and with their head as rolled back', async () => {
    for (let left = 0; left < SIZE; left++) {
      const shorter = memoryJournal(left)
      expect(await verifyJournal(storeOver({ ...journal, rows: shorter.rows }), options())).toMatchObject({
        damage: { kind: 'truncated', seq: left + 1 },
      })
      expect(await verifyJournal(storeOver(shorter), options())).toMatchObject({
        damage: { kind: 'rolled-back', seq: left + 1, through: SIZE },
      })
    }
  })

  it('reports a rewritten journal as rebuilt, or as forked if its beginning was kept', async () => {
    const rebuilt = memoryJournal(0)
    for (const row of journal.rows) append(rebuilt, row.line.replace('"n":0', '"n":9'))
    journal = rebuilt
    expect(await damageOf()).toEqual({ kind: 'rebuilt', seq: 1, through: 4 })
    journal = memoryJournal(4)
    for (let i = 4; i < SIZE; i++) append(journal, `{"at":1,"call":null,"kind":"notice","seq":${i + 1},"v":1}`)
    expect(await damageOf()).toEqual({ kind: 'forked', seq: 5, through: 7 })
  })

  it('reports a journal rebuilt and signed with another key', async () => {
    const other = makeSigner()
    journal = memoryJournal(0)
    for (let i = 0; i < SIZE; i++) append(journal, `{"at":1,"call":null,"kind":"notice","seq":${i + 1},"v":1}`)
    journal.checkpoints = [{ size: SIZE, note: signCheckpoint(journal.head, other, crypto, origin) }]
    expect(await damageOf()).toEqual({ kind: 'rebuilt', seq: 1, through: 4 })
    kept = []
    expect(await damageOf()).toMatchObject({ kind: 'bad-signature', seq: SIZE })
  })

  it('reports a line changed together with its hash, from the head alone and against a checkpoint', async () => {
    const line = (journal.rows[5] as { line: string }).line.replace('"n":5', '"n":6')
    journal.rows = journal.rows.with(5, { seq: 6, line, leaf: leafHash(line, crypto) })
    expect(await damageOf()).toEqual({ kind: 'changed', seq: 5, through: 7 })
    kept = []
    expect(await damageOf()).toMatchObject({ kind: 'head-mismatch', seq: 7 })
  })

  it('reports a line that is not canonical even if its hashes match', async () => {
    for (const line of ['{"v":1,"seq":8,"at":1,"kind":"notice","call":null}', '{}', 'x']) {
      const rows = memoryJournal(SIZE)
      append(rows, line)
      expect(await verifyJournal(storeOver(rows), options())).toMatchObject({
        damage: { kind: 'not-canonical', seq: 8 },
      })
    }
  })

  it('reports rows past the head, and a head of another tree', async () => {
    journal.head = memoryJournal(6).head
    kept = []
    expect(await damageOf()).toMatchObject({ kind: 'head-mismatch', seq: 7 })
    journal.head = { size: SIZE, frontier: 'a'.repeat(64 * 3) }
    expect(await damageOf()).toMatchObject({ kind: 'head-mismatch' })
  })

  it('reports checkpoints that are forged, misplaced or from another journal', async () => {
    const other = signCheckpoint(memoryJournal(2).head, signer, crypto, 'elsewhere')
    for (const note of ['junk', other, signCheckpoint(memoryJournal(3).head, signer, crypto, origin)]) {
      journal.checkpoints = [{ size: 2, note }]
      expect(await damageOf()).toMatchObject({ kind: 'bad-signature', seq: 2 })
    }
    journal.checkpoints = []
    kept.push(other)
    expect(await damageOf()).toMatchObject({ kind: 'bad-signature', seq: 2 })
  })

  describe('verifying from an earlier head', () => {
    const later = (verified: VerifiedHead) => verifyJournal(storeOver(journal), { ...options(), verified })
    async function head(): Promise<VerifiedHead> {
      const verdict = await verify()
      if (verdict.kind !== 'intact') return expect.unreachable()
      return verdict
    }

    it('reads only later entries, and reaches the same verdict', async () => {
      const before = await head()
      for (let i = 0; i < 5; i++) append(journal)
      kept.push(signCheckpoint(journal.head, signer, crypto, origin))
      const read: number[] = []
      const source = storeOver(journal)
      const counting = {
        ...source,
        entries: (from: number, to: number) => {
          read.push(from)
          return source.entries(from, to)
        },
      }
      const verdict = await verifyJournal(counting, { ...options(), verified: before, page: 2 })
      expect(verdict).toEqual(await verify())
      expect(read.slice(0, 3)).toEqual([SIZE + 1, SIZE + 3, SIZE + 5])
    })

    it('reports later damage, a journal that got shorter, and another journal', async () => {
      const before = await head()
      append(journal)
      const sound = journal.rows
      journal.rows = sound.with(SIZE, { ...(sound[SIZE] as (typeof sound)[number]), line: '{}' })
      expect(await later(before)).toMatchObject({ kind: 'damaged', damage: { seq: SIZE + 1 } })
      journal = memoryJournal(3)
      kept = []
      expect(await later(before)).toMatchObject({ damage: { kind: 'rolled-back', seq: 4, through: SIZE } })
      journal = memoryJournal(0)
      for (let i = 0; i < SIZE + 1; i++) append(journal, `{"at":1,"call":null,"kind":"notice","seq":${i + 1},"v":1}`)
      expect(await later(before)).toMatchObject({ damage: { kind: 'head-mismatch' } })
    })
  })

  it('reports its progress', async () => {
    const seen: [number, number][] = []
    journal = memoryJournal(2500)
    await verifyJournal(storeOver(journal), {
      ...options(),
      kept: [],
      onProgress: (done, total) => seen.push([done, total]),
    })
    expect(seen).toEqual([
      [1000, 2500],
      [2000, 2500],
      [2500, 2500],
    ])
  })
})

describe('verifying an export', () => {
  const check = (lines: readonly string[]) => verifyExport(lines, options())

  it('accepts a sound one with its checkpoint', async () => {
    expect(await check(journal.rows.map((row) => row.line))).toMatchObject({ kind: 'intact', size: SIZE, keptTo: SIZE })
  })

  it('reports every flipped byte', async () => {
    const text = journal.rows.map((row) => `${row.line}\n`).join('')
    for (let at = 0; at < text.length; at++) {
      const flipped = text.slice(0, at) + String.fromCharCode(text.charCodeAt(at) ^ 1) + text.slice(at + 1)
      const seq = text.slice(0, at).split('\n').length
      const verdict = await check(flipped.split('\n'))
      if (verdict.kind === 'intact') expect.unreachable(`byte ${at}`)
      expect(seq, `byte ${at}: ${verdict.damage.message}`).toBeGreaterThanOrEqual(verdict.damage.seq)
      expect(seq, `byte ${at}: ${verdict.damage.message}`).toBeLessThanOrEqual(verdict.damage.through + 1)
    }
  })

  it('names dropped, duplicate, swapped and truncated entries', async () => {
    const lines = journal.rows.map((row) => row.line)
    const cases: readonly (readonly [readonly string[], DamageKind, number])[] = [
      [lines.toSpliced(2, 1), 'missing', 3],
      [lines.toSpliced(2, 0, lines[1] as string), 'doubled', 3],
      [lines.with(1, lines[4] as string).with(4, lines[1] as string), 'swapped', 2],
      [lines.slice(0, 5), 'truncated', 6],
      [[...lines.slice(0, 5), (lines[5] as string).slice(0, 20)], 'truncated', 6],
      [lines.with(2, (lines[2] as string).replace('"n":2', '"n":3')), 'changed', 1],
      [lines.with(2, (lines[2] as string).replace('"seq":3', '"seq":9')), 'changed', 3],
      [lines.with(2, '{}'), 'not-canonical', 3],
    ]
    for (const [damaged, kind, seq] of cases) expect(await check(damaged)).toMatchObject({ damage: { kind, seq } })
  })

  it('verifies an early part alone, and ignores later heads', async () => {
    const lines = journal.rows.slice(0, 4).map((row) => row.line)
    expect(await verifyExport(lines, { ...options(), through: 4 })).toMatchObject({ kind: 'intact', keptTo: 4 })
    expect(await verifyExport(lines.slice(0, 3), { ...options(), through: 4 })).toMatchObject({
      damage: { kind: 'truncated', seq: 4 },
    })
  })
})
