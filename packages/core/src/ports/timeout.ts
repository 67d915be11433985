import { CountersignError, type ErrorCode } from '../errors.ts'
import type { Clock } from './clock.ts'

const SETTLED = Promise.resolve()

/**
 * Waits for work of the outside world, but not for ever: past `ms` it throws `code`.
 * INVARIANT: L10 L3, a port that hangs refuses the call. `onLate` hears of work that finished after all.
 */
export function within<T>(
  clock: Clock,
  ms: number,
  code: ErrorCode,
  message: string,
  work: Promise<T>,
  onLate: (value: T) => void = () => {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    let state: 'waiting' | 'answered' | 'late' = 'waiting'
    let cancel = () => {}
    work.then(
      (value) => {
        if (state === 'late') return onLate(value)
        state = 'answered'
        cancel()
        resolve(value)
      },
      (error) => {
        state = 'answered'
        cancel()
        reject(error)
      },
    )
    // Work that is done already, or in the next turn, is heard of before this: most of it is, and needs no timer.
    const wait = (): void => {
      if (state !== 'waiting') return
      cancel = clock.after(ms, () => {
        state = 'late'
        reject(new CountersignError(code, message))
      })
    }
    SETTLED.then(() => {
      if (state === 'waiting') SETTLED.then(wait)
    })
  })
}
