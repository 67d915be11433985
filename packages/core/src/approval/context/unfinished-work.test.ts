import { settled, simulatedClock } from '@countersign/testing/simulated-clock'
import { describe, expect, it } from 'vitest'
import { createUnfinishedWork } from './unfinished-work.ts'

function unfinished() {
  const clock = simulatedClock()
  const work = createUnfinishedWork(clock)
  let isBack = false
  let tries = 0
  const done: string[] = []
  return {
    clock,
    work,
    done,
    tries: () => tries,
    comeBack: () => {
      isBack = true
    },
    later: (name: string) =>
      work.later(async () => {
        tries += 1
        if (!isBack) throw new Error('the store is gone')
        done.push(name)
      }),
  }
}

describe('work that the store did not take', () => {
  it('is done by itself soon after the store is back', async () => {
    const { clock, later, comeBack, done } = unfinished()
    later('a')
    await clock.advance(3_000)
    expect(done).toEqual([])
    comeBack()
    await clock.advance(8_000)
    expect(done).toEqual(['a'])
    expect(clock.pending).toBe(0)
  })

  it('is done when another change tells that the store is back, however late', async () => {
    const { clock, work, later, comeBack, done, tries } = unfinished()
    later('a')
    later('b')
    await clock.advance(3_600_000)
    expect([tries(), clock.pending]).toEqual([10, 0])
    comeBack()
    work.resume()
    await settled()
    expect(done).toEqual(['a', 'b'])
    work.resume()
    await settled()
    expect(done).toEqual(['a', 'b'])
  })

  it('is left to the next process when the gate closes', async () => {
    const { clock, work, later, comeBack, done } = unfinished()
    later('a')
    work.close()
    comeBack()
    await clock.advance(3_600_000)
    expect(done).toEqual([])
    expect(clock.pending).toBe(0)
  })
})
