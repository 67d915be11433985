import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createStillHere } from './keep-alive.ts'
import type { Reply } from './reply.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function listen() {
  const beat = vi.fn()
  return { beat, reply: { beat } as unknown as Reply }
}

describe('a client that waits for a person', () => {
  it('hears nothing while it waits for a moment only', () => {
    const [{ beat, reply }, stillHere] = [listen(), createStillHere()]
    stillHere.waits(reply)
    vi.advanceTimersByTime(13_900)
    stillHere.waitsNoMore(reply)
    vi.advanceTimersByTime(60_000)
    expect(beat).not.toHaveBeenCalled()
  })

  it('hears something every quarter of a minute, also when another began to wait before', () => {
    const [first, second, stillHere] = [listen(), listen(), createStillHere()]
    stillHere.waits(first.reply)
    vi.advanceTimersByTime(7_500)
    stillHere.waits(second.reply)
    vi.advanceTimersByTime(7_500)
    expect([first.beat.mock.calls.length, second.beat.mock.calls.length]).toEqual([1, 0])
    vi.advanceTimersByTime(7_500)
    expect([first.beat.mock.calls.length, second.beat.mock.calls.length]).toEqual([1, 1])
    vi.advanceTimersByTime(30_000)
    expect([first.beat.mock.calls.length, second.beat.mock.calls.length]).toEqual([3, 3])
  })

  it('leaves no timer behind', () => {
    const [{ reply }, stillHere] = [listen(), createStillHere()]
    stillHere.waits(reply)
    stillHere.waitsNoMore(reply)
    vi.advanceTimersByTime(1_000)
    expect(vi.getTimerCount()).toBe(0)
  })
})
