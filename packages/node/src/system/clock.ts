import type { Clock } from '@countersign/core'

/** The longest wait Node's timers can count; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The machine's clocks and timers. */
export const systemClock: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after,
})

function after(ms: number, wake: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (left: number): void => {
    const step = Math.min(left, LONGEST_TIMER_MS)
    timer = setTimeout(() => (left > step ? wait(left - step) : wake()), step)
  }
  wait(Math.max(ms, 0))
  return () => clearTimeout(timer)
}
