import type { HeldCall } from '@countersign/react'
import { useCallback, useEffect, useRef } from 'react'
import { showNotice, wantsNotifications } from '../preferences/notifications.ts'
import { useDesk } from './context.ts'

/** At most one notice in so long; what comes meanwhile is told with the next. SECURITY: A19 */
const BETWEEN_MS = 10_000
/** What comes within a moment comes together. */
const GATHER_MS = 300

/** The way to tell of new held calls while nobody looks: one notice for all that came since somebody did. */
export function useNotices(): (fresh: readonly HeldCall[]) => void {
  const { held, aheadMs } = useDesk()
  const now = useRef({ held, aheadMs })
  const unseen = useRef(new Set<string>())
  const last = useRef(Number.NEGATIVE_INFINITY)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    now.current = { held, aheadMs }
  })

  const show = useCallback(() => {
    timer.current = undefined
    const calls = now.current.held.filter((call) => unseen.current.has(call.requestDigest))
    if (calls.length === 0 || !wantsNotifications() || document.visibilityState === 'visible') return
    last.current = performance.now()
    void showNotice(calls, Date.now() + now.current.aheadMs).catch(() => undefined)
  }, [])

  useEffect(() => {
    const look = (): void => {
      if (document.visibilityState === 'visible') unseen.current.clear()
    }
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer.current)
      timer.current = undefined
      document.removeEventListener('visibilitychange', look)
    }
  }, [])

  return useCallback(
    (fresh) => {
      if (document.visibilityState === 'visible') return
      for (const { requestDigest } of fresh) unseen.current.add(requestDigest)
      timer.current ??= setTimeout(show, Math.max(GATHER_MS, last.current + BETWEEN_MS - performance.now()))
    },
    [show],
  )
}
