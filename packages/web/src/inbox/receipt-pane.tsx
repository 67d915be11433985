import { type Closed, ReceiptCard, StrandedWords, useLostFocus } from '@countersign/react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'wouter'

/** What became of the call in question. Takes the focus that its card had: `J` goes on from here. */
export function ReceiptPane({
  closed: { view, receipt },
  next,
}: {
  readonly closed: Closed
  /** What is still held. */
  readonly next: { readonly count: number; readonly id: string } | null
}): ReactNode {
  const pane = useRef<HTMLElement>(null)
  useLostFocus(pane, view.id, true)
  return (
    <section ref={pane} tabIndex={-1} className="pane-receipt" aria-label="Receipt">
      <ReceiptCard receipt={receipt} call={view} />
      <StrandedWords held={view.id} />
      {next !== null && (
        <p className="cs-dim">
          {next.count} still held. <Link href={`/held/${encodeURIComponent(next.id)}`}>Open the next</Link>
          <span className="keys-only">
            , or press <kbd>J</kbd>
          </span>
          .
        </p>
      )}
    </section>
  )
}
