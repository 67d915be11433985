import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOverdueTimer, holdLimit } from './hold-timing.ts'

describe('the maximum wait of a client', () => {
  it.each([
    ['a client nobody knows, as long as policy says', { mode: 'block' }, 'somebody', null],
    ['a client without a name, too', { mode: 'block' }, null, null],
    ['a client known to give up, a little less than that', { mode: 'block' }, 'claude-ai', 50_000],
    ['what the person said, whoever the client is', { mode: 'block', limitMs: 7 }, 'claude-ai', 7],
    ['what no timer can wait, as long as one can', { mode: 'pending', limitMs: 600 * 3_600_000 }, null, 2 ** 31 - 1],
    ['under `pending`, never without an end', { mode: 'pending' }, 'somebody', 45_000],
  ] as const)('for %s', (_what, hold, agent, limit) => {
    expect(holdLimit(hold, agent)).toBe(limit)
  })
})

describe('an overdue timer', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('fires once, each at its own time', () => {
    const told: string[] = []
    const { watch } = createOverdueTimer(250)
    watch(() => told.push('first'))
    vi.advanceTimersByTime(100)
    watch(() => told.push('second'))
    vi.advanceTimersByTime(149)
    expect(told).toEqual([])
    vi.advanceTimersByTime(1)
    expect(told).toEqual(['first'])
    vi.advanceTimersByTime(100)
    expect(told).toEqual(['first', 'second'])
    vi.advanceTimersByTime(1000)
    expect(told).toEqual(['first', 'second'])
  })

  it('does not fire for finished work, and leaves no timer behind', () => {
    const told: string[] = []
    const { watch } = createOverdueTimer(250)
    for (let count = 0; count < 100; count += 1) watch(() => told.push('late'))()
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(250)
    expect(told).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('fires even if the one before it was finished', () => {
    const told: string[] = []
    const { watch } = createOverdueTimer(250)
    const done = watch(() => told.push('first'))
    vi.advanceTimersByTime(200)
    watch(() => told.push('second'))
    done()
    vi.advanceTimersByTime(250)
    expect(told).toEqual(['second'])
  })
})
