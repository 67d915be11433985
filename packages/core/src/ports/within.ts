import { CountersignError, type ErrorCode } from '../errors.ts'
import type { Clock } from './clock.ts'

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
    let over = false
    const cancel = clock.after(ms, () => {
      over = true
      reject(new CountersignError(code, message))
    })
    work.then(
      (value) => {
        if (over) return onLate(value)
        cancel()
        resolve(value)
      },
      (error) => {
        cancel()
        reject(error)
      },
    )
  })
}
