import {
  CallSummary,
  type Closed,
  formatTime,
  InlineCode,
  type Notice,
  outcomeSign,
  type Receipt,
  ReceiptCard,
  RiskBadge,
  SafeTextView,
  toRiskLevel,
  UnsentDrafts,
  useLostFocus,
} from '@countersign/react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'wouter'
import { WorthAsking } from './worth-asking.tsx'

const SHOWN_RECEIPTS = 12

/** Recently closed calls. */
export function Receipts({
  closed,
  selected,
}: {
  readonly closed: readonly Closed[]
  readonly selected: string | null
}): ReactNode {
  if (closed.length === 0) return null
  return (
    <section className="receipts" aria-label="Receipts">
      <h2 className="list-heading">Recently closed</h2>
      <ul>
        {closed.slice(0, SHOWN_RECEIPTS).map(({ view, receipt }) => (
          <li key={view.id}>
            <Link
              href={`/held/${encodeURIComponent(view.id)}`}
              className="receipt-row"
              aria-current={view.id === selected ? 'true' : undefined}
            >
              <span className={outcomeSign(receipt.state).isGood ? 'cs-yes' : 'cs-no-word'}>
                {outcomeSign(receipt.state).sign} <SafeTextView text={receipt.state} />
              </span>
              <span className="cs-dim">
                {receipt.by !== null && <SafeTextView text={`${byWords(receipt)}, `} />}
                {formatTime(receipt.at)}
              </span>
              <span className="receipt-effect">
                {receipt.instead === undefined ? <CallSummary call={view} /> : <InlineCode text={receipt.instead} />}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Who decided; for an outcome, also that they approved. */
function byWords({ state, by }: Receipt): string {
  return state === 'approved' || state === 'rejected' ? `by ${by}` : `approved by ${by}`
}

/** The receipt of the open call. Takes over the focus of its card. */
export function ReceiptPane({
  closed: { view, receipt },
  next,
}: {
  readonly closed: Closed
  /** The next held call. */
  readonly next: { readonly count: number; readonly id: string } | null
}): ReactNode {
  const pane = useRef<HTMLElement>(null)
  useLostFocus(pane, view.id, true)
  return (
    <section ref={pane} tabIndex={-1} className="pane-receipt" aria-label="Receipt">
      <ReceiptCard receipt={receipt} call={view} />
      {receipt.by !== null && <WorthAsking key={view.id} call={view.id} />}
      <UnsentDrafts held={view.id} />
      {next !== null && (
        <p className="cs-dim">
          {next.count} still held. <Link href={`/held/${encodeURIComponent(next.id)}`}>Open the next call</Link>
          <span className="keys-only">
            , or press <kbd>J</kbd>
          </span>
          .
        </p>
      )}
    </section>
  )
}

const SHOWN_NOTICES = 5

/** Calls that ran under notify supervision. */
export function Notices({ notices }: { readonly notices: readonly Notice[] }): ReactNode {
  if (notices.length === 0) return null
  return (
    <section className="receipts" aria-label="Notices">
      <h2 className="list-heading">Ran without asking</h2>
      <ul>
        {notices.slice(0, SHOWN_NOTICES).map((notice) => (
          <li key={notice.callId} className="receipt-row">
            <RiskBadge level={toRiskLevel(notice.risk)} small />
            <span className="cs-dim">
              <SafeTextView text={notice.tool} /> {formatTime(notice.at)}
            </span>
            <span className="receipt-effect">
              <InlineCode text={notice.effect} />
            </span>
            {notice.warnings?.map((warning) => (
              <span key={warning} className="receipt-warning">
                <InlineCode text={warning} />
              </span>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}
