import type { EntryBody } from '@countersign/core'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSessionLog } from './session-log.ts'

const MINUTE = 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function session(agent: string | null = null) {
  const entries: EntryBody[] = []
  const log = openSessionLog(
    'files',
    (entry) => entries.push(entry),
    () => agent,
  )
  const refused = () => entries.filter(({ kind }) => kind === 'message-refused')
  const summaries = () => entries.filter(({ kind }) => kind === 'relayed')
  return { entries, log, refused, summaries }
}

describe('the log of a session', () => {
  it('counts every method, and beyond a limit only the number of others', () => {
    const { log, entries } = session('a')
    for (let at = 0; at < 100; at += 1) log.passed('client', `m${at}`)
    log.passed('client', 'm1')
    log.close()
    expect(entries[0]).toMatchObject({
      kind: 'relayed',
      server: 'files',
      agent: 'a',
      client: { m0: 1, m1: 2, others: 36 },
    })
  })

  it('records the first refusals of a kind, and counts the rest', () => {
    const { log, entries } = session()
    for (let at = 0; at < 300; at += 1) log.refused('server', 'parse', '\ud800'.repeat(1000))
    log.close()
    expect(entries).toHaveLength(101)
    expect(entries.at(-1)).toMatchObject({ refused: 300 })
    expect(String(entries[0]?.['why']).isWellFormed()).toBe(true)
  })

  it.each([
    ['client', 'tools/call wipe_everything'],
    ['client', 'tools/call'],
    ['client', 'Tools/Call'],
    ['client', 'tools/call\0'],
  ] as const)('records every refused call, whatever came before: from the %s, %s', (from, what) => {
    const { log, refused } = session()
    for (let at = 0; at < 150; at += 1) log.refused('client', 'parse', 'not JSON')
    for (let at = 0; at < 150; at += 1) log.refused('client', `x/${at}`, 'denied by name')
    for (let at = 0; at < 150; at += 1) log.refused(from, what, 'unadvertised')
    expect(refused().filter((entry) => entry['what'] === what)).toHaveLength(150)
  })

  it('loses no kind of refusal in a flood of another', () => {
    const { log, refused } = session()
    for (let at = 0; at < 1000; at += 1) log.refused('client', 'parse', 'not JSON')
    for (let at = 0; at < 1000; at += 1) log.refused('server', `x/${at}`, 'denied by name')
    const kinds = ['batch', 'duplicate-key', 'tools/list', 'answer', 'outcome']
    for (const kind of kinds) log.refused('server', kind, 'x')
    expect(refused().slice(-kinds.length)).toMatchObject(kinds.map((what) => ({ what })))
    expect(refused()).toHaveLength(200 + kinds.length)
  })

  it('records nothing for an idle session', () => {
    const { log, entries } = session()
    vi.advanceTimersByTime(60 * MINUTE)
    log.close()
    expect(entries).toEqual([])
  })

  it('records traffic periodically, so that a killed session leaves a trace', () => {
    const { log, summaries } = session()
    log.passed('client', 'ping')
    vi.advanceTimersByTime(MINUTE)
    expect(summaries()).toMatchObject([{ client: { ping: 1 }, refused: 0 }])
    vi.advanceTimersByTime(60 * MINUTE)
    expect(summaries()).toHaveLength(1)
    log.passed('client', 'ping')
    log.refused('client', 'parse', 'not JSON')
    vi.advanceTimersByTime(4 * MINUTE)
    expect(summaries()).toHaveLength(1)
    vi.advanceTimersByTime(MINUTE)
    expect(summaries()).toHaveLength(2)
    log.passed('server', 'notifications/message')
    log.close()
    expect(summaries()).toMatchObject([
      { client: { ping: 1 }, upstream: {}, refused: 0 },
      { client: { ping: 1 }, upstream: {}, refused: 1 },
      { client: {}, upstream: { 'notifications/message': 1 }, refused: 0 },
    ])
  })

  it('ends when it is closed', () => {
    const { log, summaries } = session()
    log.close()
    log.passed('client', 'ping')
    expect(vi.getTimerCount()).toBe(0)
    expect(summaries()).toEqual([])
  })
})
