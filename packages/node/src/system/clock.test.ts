import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from './clock.ts'

describe('the system clock', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('never goes back', () => {
    const times = Array.from({ length: 1_000 }, () => systemClock.monotonic())
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  it('waits longer than Node’s timers can count, and fires once', () => {
    vi.useFakeTimers()
    const wake = vi.fn()
    const year = 365 * 86_400_000
    systemClock.after(year, wake)
    vi.advanceTimersByTime(year - 1)
    expect(wake).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    vi.advanceTimersByTime(year)
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it.each([5, 2 ** 31 + 5])('does not fire after being cancelled (%d ms)', (ms) => {
    vi.useFakeTimers()
    const wake = vi.fn()
    const cancel = systemClock.after(ms, wake)
    vi.advanceTimersByTime(ms - 1)
    cancel()
    vi.advanceTimersByTime(2 ** 31)
    expect(wake).not.toHaveBeenCalled()
  })

  it.each([0, -5, Number.NaN])('fires at once for %d ms', (ms) => {
    vi.useFakeTimers()
    const wake = vi.fn()
    systemClock.after(ms, wake)
    vi.advanceTimersByTime(1)
    expect(wake).toHaveBeenCalledTimes(1)
  })
})
