import type { Clock } from '@countersign/core'
import { storesSettled } from './store/work-under-way.ts'

/** A clock controlled by the test. Wall time can jump; monotonic time cannot. */
export interface SimulatedClock extends Clock {
  /** Advances by `ms`, fires every timer on the way, and settles the promises of each before the next. */
  advance(ms: number): Promise<void>
  /** Changes the wall clock only, like a person or a time server. */
  jump(ms: number): void
  readonly pending: number
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly wake: () => void
}

export function simulatedClock(start = Date.UTC(2026, 0, 5, 12)): SimulatedClock {
  let passed = 0
  let offset = 0
  let order = 0
  const timers = new Set<Timer>()

  function next(until: number): Timer | undefined {
    let first: Timer | undefined
    for (const timer of timers) {
      if (timer.at > until) continue
      if (first === undefined || timer.at < first.at || (timer.at === first.at && timer.order < first.order))
        first = timer
    }
    return first
  }

  return {
    isSimulated: true,
    now: () => start + passed + offset,
    monotonic: () => passed,
    after(ms, wake) {
      order += 1
      const timer = { at: passed + Math.max(0, ms), order, wake }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    async advance(ms) {
      const until = passed + ms
      await settled()
      for (let timer = next(until); timer !== undefined; timer = next(until)) {
        timers.delete(timer)
        passed = Math.max(passed, timer.at)
        timer.wake()
        await settled(3)
      }
      passed = until
      await settled()
    },
    jump(ms) {
      offset += Math.trunc(ms)
    },
    get pending() {
      return timers.size
    },
  }
}

/** Advances time while awaiting something that may hang until a port times out. */
export async function passTime<T>(clock: SimulatedClock, work: Promise<T>, most = 600_000, step = 5_000): Promise<T> {
  let done = false
  const watched = work.finally(() => {
    done = true
  })
  watched.catch(() => {}) // awaited below, after time has passed
  await settled()
  for (let waited = 0; !done && waited < most; waited += step) {
    await clock.advance(step)
    await new Promise<void>((resolve) => setTimeout(resolve, 2)) // real file access needs real time
  }
  if (!done) throw new Error('the awaited promise did not settle')
  return watched
}

/** Runs everything that can run without time passing, including work queued on the event loop and of a store's server. */
export async function settled(turns = 8): Promise<void> {
  do {
    for (let turn = 0; turn < turns; turn += 1) await new Promise<void>((resolve) => setImmediate(resolve))
  } while (await storesSettled())
}
