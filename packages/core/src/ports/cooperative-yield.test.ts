import { describe, expect, it } from 'vitest'
import { createPause } from './cooperative-yield.ts'

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

describe('a pause', () => {
  it('is taken after a long piece, in the name of its asker, and not after a short one (A31)', async () => {
    const { clock, asked } = clockAt()
    const pause = createPause(clock, 's')
    clock.time += 9
    expect(pause.next()).toBeUndefined()
    clock.time += 1
    await pause.next()
    expect(asked).toEqual(['s'])
    expect(pause.next()).toBeUndefined()
  })

  it('counts the work before and after a wait, and not the wait', async () => {
    const { clock } = clockAt()
    const pause = createPause(clock, null)
    clock.time += 5
    const slow = Promise.withResolvers<void>()
    const waiting = pause.beside(slow.promise)
    clock.time += 1_000
    slow.resolve()
    await waiting
    clock.time += 4
    expect(pause.next()).toBeUndefined()
    clock.time += 1
    expect(pause.next()).toBeInstanceOf(Promise)
  })

  it('hands on what is answered at once, and what fails', async () => {
    const pause = createPause(clockAt().clock, null)
    expect(pause.beside(1)).toBe(1)
    await expect(pause.beside(Promise.reject(new Error('no')))).rejects.toThrow('no')
  })
})
