import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { onReturn, useWatchedPointer } from './press-guard.tsx'

/** Presses are ignored until the content has been on screen this long … */
const PAINTED_MS = 600
/** … and there was no key or tap for this long. */
const QUIET_MS = 250

/**
 * Whether presses count yet. SECURITY: A5 keys and taps meant for earlier content, or for another window, must decide
 * nothing, so arming restarts whenever `about` changes, and whenever the page is shown, focused or entered by the pointer.
 */
export function useArmed(about: string): boolean {
  const [armed, setArmed] = useState<string | null>(null)
  useWatchedPointer()
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
    let start = performance.now()
    const busy = (): void => {
      if (!isArmed) arm(Math.max(QUIET_MS, start + PAINTED_MS - performance.now()))
    }
    const back = (): void => {
      isArmed = false
      start = performance.now()
      flushSync(() => setArmed(null)) // before the press that may follow at once
      arm(PAINTED_MS)
    }
    arm(PAINTED_MS)
    addEventListener('keydown', busy, true)
    addEventListener('pointerdown', busy, true)
    const stop = onReturn(back)
    return () => {
      clearTimeout(timer)
      removeEventListener('keydown', busy, true)
      removeEventListener('pointerdown', busy, true)
      stop()
    }
  }, [about])
  return armed === about
}
