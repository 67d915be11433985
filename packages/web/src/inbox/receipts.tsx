import { type Closed, clockWords, Effect, isWhole, Safe } from '@countersign/react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { maskedEffect } from './masked-effect.ts'

const SHOWN = 12
const GOOD = new Set(['approved', 'completed', 'started', 'decided', 'released'])

/** What became of the calls that were held here: they turn into receipts, they do not vanish. */
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
      <h2 className="list-heading">Just closed</h2>
      <ul>
        {closed.slice(0, SHOWN).map(({ view, receipt }) => (
          <li key={view.id}>
            <Link
              href={`/held/${encodeURIComponent(view.id)}`}
              className="receipt-row"
              aria-current={view.id === selected ? 'true' : undefined}
            >
              <span className={GOOD.has(receipt.state) ? 'cs-yes' : 'cs-no-word'}>
                {GOOD.has(receipt.state) ? '✔' : '✖'} <Safe text={receipt.state} />
              </span>
              <span className="cs-dim">
                {receipt.by !== null && <Safe text={`${receipt.by}, `} />}
                {clockWords(receipt.at)}
              </span>
              <span className="receipt-effect">
                <Effect text={maskedEffect(view)} request={isWhole(view) ? view.request : null} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
