import { simulatedClock } from '@countersign/testing/simulated-clock'
import { beforeEach, describe, expect, it } from 'vitest'
import { parseCheckpoint, verifyCheckpoint } from './checkpoint.ts'
import { crypto, makeSigner } from './fixture.mts'
import { createJournal, type Journal } from './journal.ts'
import { append, type MemoryJournal, memoryJournal, storeOver } from './memory-journal.mts'

const signer = makeSigner()
let memory: MemoryJournal
let clock: ReturnType<typeof simulatedClock>
let kept: string[]
let problems: string[]
let keep: (note: string) => Promise<void>
let journal: Journal

beforeEach(() => {
  memory = memoryJournal(10)
  clock = simulatedClock()
  kept = []
  problems = []
  keep = async (note) => void kept.push(note)
  const heads = { keep: (note: string) => keep(note), kept: async () => kept }
  journal = createJournal({
    store: storeOver(memory),
    crypto,
    signer,
    clock,
    heads,
    origin: 'test',
    onProblem: (error) => problems.push(error.code),
  })
})

const sizes = () => kept.map((note) => parseCheckpoint(note)?.size)

function commit(entries: number): void {
  for (let i = 0; i < entries; i++) append(memory)
  journal.afterCommit(memory.head.size)
}

describe('the journal’s checkpoints', () => {
  it('are signed, stored, and copied outside the store', async () => {
    const note = (await journal.checkpoint()) ?? ''
    expect(verifyCheckpoint(note, signer.publicKey, crypto)).toMatchObject({ size: 10, origin: 'test' })
    expect(memory.checkpoints).toEqual([{ size: 10, note }])
    expect(kept).toEqual([note])
  })

  it('are not made for an empty journal', async () => {
    Object.assign(memory, memoryJournal(0))
    expect(await journal.checkpoint()).toBeUndefined()
    expect(kept).toEqual([])
  })

  it('are made 60 s after the first unsigned entry, and not again without a new one', async () => {
    commit(1)
    await clock.advance(59_000)
    commit(1)
    expect(sizes()).toEqual([])
    await clock.advance(1_000)
    expect(sizes()).toEqual([12])
    await clock.advance(600_000)
    expect(sizes()).toEqual([12])
    expect(clock.pending).toBe(0)
  })

  it('are made at once after 256 entries', async () => {
    commit(1)
    commit(255)
    await clock.advance(0)
    expect(sizes()).toEqual([266])
  })

  it('are made at most four times per second, however much is written', async () => {
    commit(1)
    for (let ms = 0; ms < 1000; ms += 10) {
      commit(256)
      await clock.advance(10)
    }
    const after = [0, 250, 500, 750].map((ms) => 11 + 256 * (ms / 10 + (ms === 0 ? 1 : 0)))
    expect(sizes().slice(0, 4)).toEqual(after)
    expect(sizes()).toHaveLength(5)
    expect(problems).toEqual([])
  })

  it('cover entries written while a checkpoint was made, even if no more are written', async () => {
    commit(1)
    keep = async (note) => {
      kept.push(note)
      if (kept.length === 1) commit(100)
    }
    commit(256)
    await clock.advance(0)
    expect(sizes()).toEqual([267])
    await clock.advance(60_000)
    expect(sizes()).toEqual([267, 367])
    expect(clock.pending).toBe(0)
  })

  it('are retried if one could not be saved', async () => {
    commit(1)
    keep = async () => {
      throw new Error('the disk is full')
    }
    await clock.advance(60_000)
    expect(problems).toHaveLength(1)
    keep = async (note) => void kept.push(note)
    await clock.advance(60_000)
    expect(sizes()).toEqual([11])
  })

  it('are made when the journal is closed, and never after', async () => {
    commit(1)
    await journal.close()
    await journal.close()
    commit(300)
    await clock.advance(600_000)
    expect(sizes()).toEqual([11])
    expect(clock.pending).toBe(0)
  })

  it('are not made by a process that wrote nothing', async () => {
    await journal.close()
    expect(sizes()).toEqual([])
  })

  it('that fail are reported, not thrown, and the next one is attempted', async () => {
    keep = () => Promise.reject(new Error('full'))
    commit(1)
    await clock.advance(60_000)
    expect(problems).toEqual(['CS_STORE_WRITE'])
    keep = async (note) => void kept.push(note)
    commit(1)
    await clock.advance(60_000)
    expect(sizes()).toEqual([12])
  })

  it('are refused if the journal was rewritten while the gate runs', async () => {
    await journal.checkpoint()
    Object.assign(memory, memoryJournal(0))
    for (let i = 0; i < 12; i++) append(memory, `{"at":1,"call":null,"kind":"notice","seq":${i + 1},"v":1}`)
    journal.afterCommit(12)
    await clock.advance(60_000)
    expect(problems).toEqual(['CS_JOURNAL_DAMAGED'])
    expect(sizes()).toEqual([10])
    Object.assign(memory, memoryJournal(3))
    await expect(journal.checkpoint()).rejects.toMatchObject({ code: 'CS_JOURNAL_DAMAGED' })
  })
})
