import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createOverdue } from './overdue-timer.ts'

describe('what is overdue', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('is told once, each at its own time', () => {
    const told: string[] = []
    const { watch } = createOverdue(250)
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

  it('is not told of what was done before, and leaves no timer behind', () => {
    const told: string[] = []
    const { watch } = createOverdue(250)
    for (let count = 0; count < 100; count += 1) watch(() => told.push('late'))()
    expect(vi.getTimerCount()).toBe(1)
    vi.advanceTimersByTime(250)
    expect(told).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is told also when what comes before it was done', () => {
    const told: string[] = []
    const { watch } = createOverdue(250)
    const done = watch(() => told.push('first'))
    vi.advanceTimersByTime(200)
    watch(() => told.push('second'))
    done()
    vi.advanceTimersByTime(250)
    expect(told).toEqual(['second'])
  })
})
