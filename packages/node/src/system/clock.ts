import type { Clock } from '@countersign/core'

/** The longest wait Node's timers can count; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The machine's clocks and timers. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: monotonicMs,
  after,
})

/** Milliseconds that only ever grow. Not `performance.now`, whose first use loads a module that nothing else here needs. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1000 + nanoseconds / 1_000_000
}

function after(ms: number, wake: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (left: number): void => {
    const step = Math.min(left, LONGEST_TIMER_MS)
    timer = setTimeout(() => (left > step ? wait(left - step) : wake()), step)
  }
  wait(Math.max(ms, 0))
  return () => clearTimeout(timer)
}
