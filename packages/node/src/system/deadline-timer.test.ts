import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDeadlines } from './deadline-timer.ts'

/** Items with deadlines; `over` has the expired ones in order. */
function waiting() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const left = new Map<string, number>()
  const over: string[] = []
  const deadlines = createDeadlines((now) => {
    for (const [name, at] of left) {
      if (at > now) continue
      left.delete(name)
      over.push(name)
    }
    return Math.min(...left.values())
  })
  return { deadlines, left, over, add: (name: string, ms: number) => void left.set(name, deadlines.within(ms)) }
}

describe('a set of deadlines', () => {
  it('expire on time, in any order of arrival', () => {
    const { add, over } = waiting()
    add('later', 2_000)
    add('soon', 1_000)
    add('last', 3_000)
    vi.advanceTimersByTime(999)
    expect(over).toEqual([])
    vi.advanceTimersByTime(1)
    expect(over).toEqual(['soon'])
    vi.advanceTimersByTime(2_000)
    expect(over).toEqual(['soon', 'later', 'last'])
  })

  it('use one timer, and none when nothing is left', () => {
    const { add, left } = waiting()
    for (let at = 0; at < 100; at += 1) add(`${at}`, 1_000 + at)
    expect(vi.getTimerCount()).toBe(1)
    left.clear()
    vi.advanceTimersByTime(1_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('expire even beyond a timer’s maximum', () => {
    const { add, over } = waiting()
    add('far', 2 ** 31 + 1_000)
    vi.advanceTimersByTime(2 ** 31)
    expect(over).toEqual([])
    vi.advanceTimersByTime(1_000)
    expect(over).toEqual(['far'])
  })

  it.each([Number.NaN, -1, 0])('expire at once after %d ms, and the others on time', (ms) => {
    const { add, over } = waiting()
    add('one', 1_000)
    add('odd', ms)
    vi.advanceTimersByTime(0)
    expect(over).toEqual(['odd'])
    vi.advanceTimersByTime(1_000)
    expect(over).toEqual(['odd', 'one'])
  })

  it('stop when nobody waits any more', () => {
    const { add, deadlines } = waiting()
    add('one', 1_000)
    deadlines.stop()
    expect(vi.getTimerCount()).toBe(0)
  })
})
