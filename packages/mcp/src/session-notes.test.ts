import type { EntryBody } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { takeNotes } from './session-notes.ts'

describe('the notes of a session', () => {
  it('count every method, and past a bound only how many others', () => {
    const entries: EntryBody[] = []
    const notes = takeNotes('files', (entry) => entries.push(entry))
    for (let at = 0; at < 100; at += 1) notes.passed('client', `m${at}`)
    notes.passed('client', 'm1')
    notes.summary({ agent: 'a' })
    expect(entries[0]).toMatchObject({
      kind: 'relayed',
      server: 'files',
      agent: 'a',
      client: { m0: 1, m1: 2, others: 36 },
    })
  })

  it('write down the first refusals, and count the rest', () => {
    const entries: EntryBody[] = []
    const notes = takeNotes('files', (entry) => entries.push(entry))
    for (let at = 0; at < 300; at += 1) notes.refused('server', 'parse', '\ud800'.repeat(1000))
    notes.summary({ agent: null })
    expect(entries).toHaveLength(101)
    expect(entries.at(-1)).toMatchObject({ refused: 300 })
    expect(String(entries[0]?.['why']).isWellFormed()).toBe(true)
  })

  it('say nothing of a session in which nothing happened', () => {
    const entries: EntryBody[] = []
    takeNotes('files', (entry) => entries.push(entry)).summary({ agent: null })
    expect(entries).toEqual([])
  })
})
