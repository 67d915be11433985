import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openClock } from './page-clock.ts'

describe('the clock of a page', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] }))
  afterEach(() => void vi.useRealTimers())

  it('fires once after a wait, also one that is longer than a browser’s timers', () => {
    const clock = openClock()
    const month = 31 * 86_400_000
    const wake = vi.fn()
    clock.after(month, wake)
    vi.advanceTimersByTime(month - 1)
    expect(wake).not.toHaveBeenCalled()
    vi.advanceTimersByTime(month)
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it('does not fire once it was cancelled', () => {
    const clock = openClock()
    const wake = vi.fn()
    clock.after(10, wake)()
    vi.advanceTimersByTime(10)
    clock.wakeDue()
    expect(wake).not.toHaveBeenCalled()
  })

  it('fires timers that a hidden tab delays as soon as a message comes, and no other', () => {
    const clock = openClock()
    const [due, later] = [vi.fn(), vi.fn()]
    clock.after(50, due)
    clock.after(5_000, later)
    const delayed = performance.now() + 60
    vi.spyOn(performance, 'now').mockReturnValue(delayed)
    clock.wakeDue()
    clock.wakeDue()
    expect(due).toHaveBeenCalledTimes(1)
    expect(later).not.toHaveBeenCalled()
    vi.restoreAllMocks()
  })
})
