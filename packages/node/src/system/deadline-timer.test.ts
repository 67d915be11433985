import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createDeadlines } from './deadline-timer.ts'

/** Things with deadlines; `over` has those that passed, in their order. */
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

describe('the deadlines of many', () => {
  it('each pass in their time, in whichever order they came', () => {
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

  it('cost one timer, and none once nothing is left', () => {
    const { add, left } = waiting()
    for (let at = 0; at < 100; at += 1) add(`${at}`, 1_000 + at)
    expect(vi.getTimerCount()).toBe(1)
    left.clear()
    vi.advanceTimersByTime(1_000)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('pass even when one is further away than a timer can run', () => {
    const { add, over } = waiting()
    add('far', 2 ** 31 + 1_000)
    vi.advanceTimersByTime(2 ** 31)
    expect(over).toEqual([])
    vi.advanceTimersByTime(1_000)
    expect(over).toEqual(['far'])
  })

  it.each([Number.NaN, -1, 0])('pass at once after %d ms, and the others in their time', (ms) => {
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
