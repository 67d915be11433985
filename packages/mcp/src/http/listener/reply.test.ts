import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Reply } from './reply.ts'
import { createKeepAlive } from './reply.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function listen() {
  const beat = vi.fn()
  return { beat, reply: { beat } as unknown as Reply }
}

describe('a client that waits for a person', () => {
  it('gets nothing during a short wait', () => {
    const [{ beat, reply }, keepAlive] = [listen(), createKeepAlive()]
    keepAlive.add(reply)
    vi.advanceTimersByTime(13_900)
    keepAlive.remove(reply)
    vi.advanceTimersByTime(60_000)
    expect(beat).not.toHaveBeenCalled()
  })

  it('gets a keep-alive every 15 s, also if another began to wait earlier', () => {
    const [first, second, keepAlive] = [listen(), listen(), createKeepAlive()]
    keepAlive.add(first.reply)
    vi.advanceTimersByTime(7_500)
    keepAlive.add(second.reply)
    vi.advanceTimersByTime(7_500)
    expect([first.beat.mock.calls.length, second.beat.mock.calls.length]).toEqual([1, 0])
    vi.advanceTimersByTime(7_500)
    expect([first.beat.mock.calls.length, second.beat.mock.calls.length]).toEqual([1, 1])
    vi.advanceTimersByTime(30_000)
    expect([first.beat.mock.calls.length, second.beat.mock.calls.length]).toEqual([3, 3])
  })

  it('leaves no timer behind', () => {
    const [{ reply }, keepAlive] = [listen(), createKeepAlive()]
    keepAlive.add(reply)
    keepAlive.remove(reply)
    vi.advanceTimersByTime(1_000)
    expect(vi.getTimerCount()).toBe(0)
  })
})
