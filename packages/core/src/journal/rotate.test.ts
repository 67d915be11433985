import { simulatedClock } from '@countersign/testing/simulated-clock'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Signer } from '../ports/crypto.ts'
import { signCheckpoint } from './checkpoint.ts'
import { crypto, makeSigner } from './fixture.mts'
import { append, type MemoryJournal, memoryJournal, storeOver } from './memory-journal.mts'
import { lastEntryBefore, type RotateParts, rotateJournal } from './rotate.ts'
import { verifyExport, verifyJournal } from './verify.ts'

const signer = makeSigner()
const origin = 'test'
let memory: MemoryJournal
let kept: string[]
let files: Map<string, string>
let parts: RotateParts

beforeEach(() => {
  memory = memoryJournal(0)
  kept = []
  files = new Map()
  for (let i = 1; i <= 40; i++) {
    append(memory)
    if (i % 9 === 0) kept.push(signCheckpoint(memory.head, signer, crypto, origin))
  }
  const heads = { keep: async (note: string) => void kept.push(note), kept: async () => [...kept] }
  const archive = {
    async write(name: string, chunks: AsyncIterable<string> | Iterable<string>) {
      let text = ''
      for await (const chunk of chunks) text += chunk
      files.set(name, text)
    },
  }
  parts = { store: storeOver(memory), crypto, signer, clock: simulatedClock(), heads, archive, keys: keysOf(signer) }
})

const keysOf = ({ publicKey }: Signer) => ({ origin, publicKeys: [publicKey], removedKeys: [] })
const options = () => ({ crypto, kept, ...keysOf(signer) })
const verify = () => verifyJournal(storeOver(memory), options())
const linesOf = (name: string) => (files.get(`${name}.jsonl`) ?? '').split('\n').filter((line) => line !== '')

describe('rotation', () => {
  it('archives the lines, drops them, and leaves a journal that verifies against every kept head', async () => {
    const rotation = await rotateJournal(parts, 30)
    expect(rotation).toMatchObject({ name: 'journal-1-30', from: 1, through: 30 })
    expect(linesOf('journal-1-30')).toHaveLength(30)
    expect(memory.rows[0]?.seq).toBe(31)
    expect(JSON.parse(memory.rows.at(-1)?.line ?? '')).toMatchObject({
      kind: 'rotated',
      archive: 'journal-1-30',
      through: 30,
      root: rotation.root,
    })
    expect(await verify()).toMatchObject({ kind: 'intact', size: 41, archived: 30, keptTo: 36, unproven: 0 })
  })

  it('can be repeated, and the archives together are the whole journal', async () => {
    await rotateJournal(parts, 20)
    await rotateJournal(parts, 35)
    expect(await verify()).toMatchObject({ kind: 'intact', size: 42, archived: 35, unproven: 0 })
    const lines = [...linesOf('journal-1-20'), ...linesOf('journal-21-35'), ...memory.rows.map((row) => row.line)]
    expect(await verifyExport(lines, options())).toMatchObject({ kind: 'intact', size: 42, keptTo: 36 })
  })

  it('leaves an archive that verifies alone against its own checkpoint', async () => {
    await rotateJournal(parts, 20)
    await rotateJournal(parts, 35)
    const first = { ...options(), kept: [files.get('journal-1-20.checkpoint') ?? ''] }
    const second = { ...options(), kept: [files.get('journal-21-35.checkpoint') ?? ''] }
    expect(await verifyExport(linesOf('journal-1-20'), first)).toMatchObject({ kind: 'intact', keptTo: 20 })
    const after = memory.spans.filter((span) => span.to <= 20)
    expect(await verifyExport(linesOf('journal-21-35'), { ...second, after })).toMatchObject({
      kind: 'intact',
      size: 35,
      keptTo: 35,
    })
    expect(await verifyExport(linesOf('journal-1-20').with(3, '{}'), first)).toMatchObject({ kind: 'damaged' })
  })

  it('does not hide a forged past: hashes that match no kept head are reported', async () => {
    await rotateJournal(parts, 30)
    const [first] = memory.spans
    memory.spans = memory.spans.with(0, { ...first, nodes: 'a'.repeat(first?.nodes.length ?? 0) } as never)
    expect(await verify()).toMatchObject({ kind: 'damaged', damage: { seq: 1 } })
  })

  it('is recorded itself: entries replaced by hashes without a record count as missing', async () => {
    const before = structuredClone({ rows: memory.rows, head: memory.head })
    await rotateJournal(parts, 30)
    kept = kept.slice(0, 4)
    Object.assign(memory, { rows: before.rows.slice(30), head: before.head, checkpoints: [] })
    expect(await verify()).toMatchObject({ kind: 'damaged', damage: { kind: 'missing', seq: 1, through: 30 } })
  })

  it('counts the heads that only the archive can prove', async () => {
    const inside = signCheckpoint(memoryJournal(25).head, signer, crypto, origin)
    await rotateJournal(parts, 30)
    kept.push(inside)
    expect(await verify()).toMatchObject({ kind: 'intact', unproven: 1 })
  })

  it('refuses a damaged journal and a range outside it, and drops nothing', async () => {
    await expect(rotateJournal(parts, 41)).rejects.toMatchObject({ code: 'CS_USAGE' })
    await expect(rotateJournal(parts, 0)).rejects.toMatchObject({ code: 'CS_USAGE' })
    memory.rows = memory.rows.toSpliced(3, 1)
    await expect(rotateJournal(parts, 20)).rejects.toMatchObject({ code: 'CS_JOURNAL_DAMAGED' })
    expect(memory.rows).toHaveLength(39)
    expect(files.size).toBe(0)
  })

  it('drops nothing when the archive cannot be written', async () => {
    parts = { ...parts, archive: { write: () => Promise.reject(new Error('full')) } }
    await expect(rotateJournal(parts, 20)).rejects.toThrow('full')
    expect(memory.rows).toHaveLength(40)
  })

  it('finds the last entry of a given age', async () => {
    const source = storeOver(memory)
    expect(await lastEntryBefore(source, 1000)).toBe(0)
    expect(await lastEntryBefore(source, 1001)).toBe(1)
    expect(await lastEntryBefore(source, 1020)).toBe(20)
    expect(await lastEntryBefore(source, 9999)).toBe(40)
    await rotateJournal(parts, 30)
    expect(await lastEntryBefore(source, 1001)).toBe(30)
  })
})
