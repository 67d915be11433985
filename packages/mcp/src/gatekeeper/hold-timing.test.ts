import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOverdueTimer, holdLimit } from './hold-timing.ts'

describe('the maximum wait of a client', () => {
  it.each([
    ['an unknown client: as long as the policy allows', { mode: 'block' }, 'somebody', null],
    ['a client without a name: the same', { mode: 'block' }, null, null],
    ['a client with a known timeout: slightly less than that', { mode: 'block' }, 'claude-ai', 50_000],
    ['a person’s setting: that time, for any client', { mode: 'block', limitMs: 7 }, 'claude-ai', 7],
    [
      'a time no timer can wait: the longest possible',
      { mode: 'pending', limitMs: 600 * 3_600_000 },
      null,
      2 ** 31 - 1,
    ],
    ['`pending`: always limited', { mode: 'pending' }, 'somebody', 45_000],
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
