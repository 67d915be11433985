import { useEffect, useState } from 'react'

/** Presses are ignored until the content has been on screen this long … */
const PAINTED_MS = 600
/** … and there was no key or tap for this long. */
const QUIET_MS = 250

/**
 * Whether presses count yet. SECURITY: A5 keys and taps meant for earlier content must decide nothing, so arming
 * restarts whenever `about` changes or the page becomes visible.
 */
export function useArmed(about: string): boolean {
  const [armed, setArmed] = useState<string | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isArmed = false
    const arm = (ms: number): void => {
      clearTimeout(timer)
      timer = setTimeout(() => {
        isArmed = true
        setArmed(about)
      }, ms)
    }
    const start = performance.now()
    const busy = (): void => {
      if (!isArmed) arm(Math.max(QUIET_MS, start + PAINTED_MS - performance.now()))
    }
    const back = (): void => {
      if (document.visibilityState !== 'visible') return
      isArmed = false
      setArmed(null)
      arm(PAINTED_MS)
    }
    arm(PAINTED_MS)
    addEventListener('keydown', busy, true)
    addEventListener('pointerdown', busy, true)
    document.addEventListener('visibilitychange', back)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', busy, true)
      removeEventListener('pointerdown', busy, true)
      document.removeEventListener('visibilitychange', back)
    }
  }, [about])
  return armed === about
}
