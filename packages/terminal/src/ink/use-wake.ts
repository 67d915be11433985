import type { Clock } from '@countersign/core'
import { useEffect, useEffectEvent } from 'react'

/** Calls `wake` once when the monotonic clock reaches `at`; null to wait for nothing. */
export function useWake(clock: Clock, at: number | null, wake: () => void): void {
  const woken = useEffectEvent(wake)
  useEffect(() => {
    if (at === null) return
    let cancel = (): void => {}
    // Timers may fire early.
    const wait = (): void => {
      cancel = clock.after(Math.max(1, at - clock.monotonic()), () => (clock.monotonic() < at ? wait() : woken()))
    }
    wait()
    return () => cancel()
  }, [clock, at])
}
