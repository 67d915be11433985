import { clockWords, levelOf, type Notice, RiskBadge, Safe, Ticked } from '@countersign/react'
import type { ReactNode } from 'react'

const SHOWN = 5

/** Calls that ran under notify: nobody was asked, and everybody may know. */
export function Notices({ notices }: { readonly notices: readonly Notice[] }): ReactNode {
  if (notices.length === 0) return null
  return (
    <section className="receipts" aria-label="Notices">
      <h2 className="list-heading">Ran without asking</h2>
      <ul>
        {notices.slice(0, SHOWN).map((notice) => (
          <li key={notice.callId} className="receipt-row">
            <RiskBadge level={levelOf(notice.risk)} small />
            <span className="cs-dim">
              <Safe text={notice.tool} /> {clockWords(notice.at)}
            </span>
            <span className="receipt-effect">
              <Ticked text={notice.effect} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
