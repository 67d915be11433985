import { describe, expect, it } from 'vitest'
import { createTurns } from './cooperative-yield.ts'

function clockAt() {
  const asked: (string | null)[] = []
  const clock = {
    time: 0,
    now: () => 0,
    monotonic: () => clock.time,
    after: () => () => {},
    async turn(asker: string | null) {
      asked.push(asker)
    },
  }
  return { clock, asked }
}

describe('yielding to other callers', () => {
  it('happens in the caller’s name after long work, and not after short work (A31)', async () => {
    const { clock, asked } = clockAt()
    const turns = createTurns(clock, 's')
    clock.time += 9
    expect(turns.yieldIfDue()).toBeUndefined()
    clock.time += 1
    await turns.yieldIfDue()
    expect(asked).toEqual(['s'])
    expect(turns.yieldIfDue()).toBeUndefined()
  })

  it('counts the work before and after a wait, but not the wait', async () => {
    const { clock } = clockAt()
    const turns = createTurns(clock, null)
    clock.time += 5
    const slow = Promise.withResolvers<void>()
    const waiting = turns.waitFor(slow.promise)
    clock.time += 1_000
    slow.resolve()
    await waiting
    clock.time += 4
    expect(turns.yieldIfDue()).toBeUndefined()
    clock.time += 1
    expect(turns.yieldIfDue()).toBeInstanceOf(Promise)
  })

  it('passes on an immediate result and an error', async () => {
    const turns = createTurns(clockAt().clock, null)
    expect(turns.waitFor(1)).toBe(1)
    await expect(turns.waitFor(Promise.reject(new Error('no')))).rejects.toThrow('no')
  })

  it('happens before a step only if the work before it was long', async () => {
    const { clock, asked } = clockAt()
    const turns = createTurns(clock, 's')
    expect(turns.step(() => 1)).toBe(1)
    expect(turns.hasYielded).toBe(false)
    clock.time += 10
    expect(await turns.step(() => asked.length)).toBe(1)
    expect(turns.hasYielded).toBe(true)
  })

  it('does not count the time a step waits for its result', async () => {
    const { clock } = clockAt()
    const turns = createTurns(clock, null)
    const slow = Promise.withResolvers<void>()
    const step = turns.step(() => slow.promise)
    clock.time += 1_000
    slow.resolve()
    await step
    expect(turns.yieldIfDue()).toBeUndefined()
  })
})
