import { useEffect, useState } from 'react'

/** Input is ignored until what is shown has stood this long … */
export const PAINTED_MS = 600
/** … and no key or tap came for this long. */
export const QUIET_MS = 250

/**
 * Whether a decision may be taken now. SECURITY: A5 what was typed or tapped before a card was there decides nothing, so
 * arming starts again whenever `about` changes, and when the page comes back into view.
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
