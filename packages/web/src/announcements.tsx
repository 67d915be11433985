import { factsOf, type HeldCall, safeText } from '@countersign/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useDesk } from './desk.ts'
import { useNotices } from './use-notices.ts'

/** Says new held calls once: politely, a critical one at once; and to the desktop when nobody looks. */
export function Announcements(): ReactNode {
  const { held, link } = useDesk()
  const tell = useNotices()
  const known = useRef<Set<string> | null>(null)
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
    const critical = fresh.find((view) => view.risk.level === 'critical')
    if (critical !== undefined) setUrgent(`New critical request: ${toolOf(critical)}`)
    else
      setPolite(
        fresh.length === 1 && fresh[0]
          ? `New ${fresh[0].risk.level} request: ${toolOf(fresh[0])}`
          : `${fresh.length} new requests`,
      )
  }, [held, link, tell])
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

function toolOf(view: HeldCall): string {
  const facts = factsOf(view)
  return facts === null ? 'a request that cannot be trusted' : safeText(facts.tool)
}
