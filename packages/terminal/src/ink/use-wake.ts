import type { Clock } from '@countersign/core'
import { useEffect, useEffectEvent } from 'react'

/** Calls `wake` once when the clock has come to `at`, in monotonic milliseconds; null waits for nothing. */
export function useWake(clock: Clock, at: number | null, wake: () => void): void {
  const woken = useEffectEvent(wake)
  useEffect(() => {
    if (at === null) return
    let cancel = (): void => {}
    // A timer may come a moment early.
    const wait = (): void => {
      cancel = clock.after(Math.max(1, at - clock.monotonic()), () => (clock.monotonic() < at ? wait() : woken()))
    }
    wait()
    return () => cancel()
  }, [clock, at])
}
