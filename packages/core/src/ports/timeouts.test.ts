import { settled, simulatedClock } from '@countersign/testing/simulated-clock'
import { describe, expect, it } from 'vitest'
import { within } from './timeouts.ts'

const bounded = <T>(clock: ReturnType<typeof simulatedClock>, work: Promise<T>, onLate?: (value: T) => void) =>
  within(clock, 1_000, 'CS_STORE_READ', 'the store did not answer', work, onLate)

describe('waiting for an external operation', () => {
  it('sets no timer for work that has already settled', async () => {
    const clock = simulatedClock()
    const pending: number[] = []
    const after = (ms: number, wake: () => void) => {
      pending.push(ms)
      return clock.after(ms, wake)
    }
    expect(await bounded({ ...clock, after }, Promise.resolve(7))).toBe(7)
    await expect(bounded({ ...clock, after }, Promise.reject(new Error('broken')))).rejects.toThrow('broken')
    await settled()
    expect(pending).toEqual([])
  })

  it('returns a result that arrives in time, and clears its timer', async () => {
    const clock = simulatedClock()
    const work = Promise.withResolvers<string>()
    const waiting = bounded(clock, work.promise)
    await clock.advance(999)
    expect(clock.pending).toBe(1)
    work.resolve('here')
    expect(await waiting).toBe('here')
    expect(clock.pending).toBe(0)
  })

  it('times out, and reports a late result', async () => {
    const clock = simulatedClock()
    const work = Promise.withResolvers<string>()
    const late: string[] = []
    const waiting = bounded(clock, work.promise, (value) => late.push(value))
    const refused = expect(waiting).rejects.toMatchObject({ code: 'CS_STORE_READ' })
    await clock.advance(1_000)
    await refused
    work.resolve('too late')
    await settled()
    expect(late).toEqual(['too late'])
  })
})
