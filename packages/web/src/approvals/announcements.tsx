import { factsOf, type HeldCall, safeText } from '@countersign/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useDesk } from './context.ts'
import { useNotices } from './use-desktop-notifications.ts'

/** Calls that come within this time are said in one sentence. */
const TOGETHER_MS = 100

/** Says new held calls once: politely, a critical one at once; and to the desktop when nobody looks. */
export function Announcements(): ReactNode {
  const { held, link } = useDesk()
  const tell = useNotices()
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
    // Of calls that come in a burst once, and not from within the drawing of each: React gives up on a page that draws
    // itself again and again.
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
  const facts = factsOf(view)
  return facts === null ? 'a call that cannot be trusted' : safeText(facts.tool)
}
