import { type HeldCall, heldFacts, safeText } from '@countersign/react'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { showNotification, wantsNotifications } from '../preferences/notifications.ts'
import { isPushOn } from '../push/subscription.ts'
import { useDesk } from './context.ts'

/** Calls within this time are announced together. */
const TOGETHER_MS = 100

/** Announces new held calls to screen readers, and as desktop notifications while the page is hidden. */
export function Announcements(): ReactNode {
  const { held, link } = useDesk()
  const tell = useDesktopNotifications()
  const known = useRef<Set<string> | null>(null)
  const unsaid = useRef<HeldCall[]>([])
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const [polite, setPolite] = useState('')
  const [urgent, setUrgent] = useState('')
  useEffect(() => {
    if (link !== 'live') return
    if (known.current === null) {
      known.current = new Set(held.map((view) => view.requestDigest))
      return
    }
    const before = known.current
    const fresh = held.filter((view) => !before.has(view.requestDigest))
    if (fresh.length === 0) return
    for (const view of fresh) before.add(view.requestDigest)
    tell(fresh)
    unsaid.current.push(...fresh)
    // Batched outside of render: a state update for each call of a burst would exceed React's update limit.
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      const calls = unsaid.current.splice(0)
      const critical = calls.find((view) => view.risk.level === 'critical')
      if (critical !== undefined) setUrgent(`New critical call: ${toolOf(critical)}`)
      else setPolite(newWords(calls))
    }, TOGETHER_MS)
  }, [held, link, tell])
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
  return (
    <>
      <div className="cs-hidden" aria-live="polite">
        {polite}
      </div>
      <div className="cs-hidden" aria-live="assertive">
        {urgent}
      </div>
    </>
  )
}

function newWords(calls: readonly HeldCall[]): string {
  const [only] = calls
  if (only === undefined || calls.length > 1) return `${calls.length} new calls`
  return `New ${only.risk.level} call: ${toolOf(only)}`
}

function toolOf(view: HeldCall): string {
  const facts = heldFacts(view)
  return facts === null ? 'invalid request' : safeText(facts.tool)
}

/** Minimum time between notifications. SECURITY: A19 */
const BETWEEN_MS = 10_000
/** Delay that gathers calls arriving together. */
const GATHER_MS = 300

/** Returns a function that notifies about new calls while the page is hidden: one notification for all unseen calls. */
function useDesktopNotifications(): (fresh: readonly HeldCall[]) => void {
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
    if (calls.length === 0 || isPushOn() || !wantsNotifications() || document.visibilityState === 'visible') return
    last.current = performance.now()
    void showNotification(calls, Date.now() + now.current.aheadMs).catch(() => undefined)
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
