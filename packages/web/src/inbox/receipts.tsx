import { CallLine, type Closed, clockWords, type Receipt, Safe, signOf, Ticked } from '@countersign/react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'

const SHOWN = 12

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
              <span className={signOf(receipt.state).isGood ? 'cs-yes' : 'cs-no-word'}>
                {signOf(receipt.state).sign} <Safe text={receipt.state} />
              </span>
              <span className="cs-dim">
                {receipt.by !== null && <Safe text={`${byWords(receipt)}, `} />}
                {clockWords(receipt.at)}
              </span>
              <span className="receipt-effect">
                {receipt.instead === undefined ? <CallLine call={view} /> : <Ticked text={receipt.instead} />}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Who decided: beside what became of it after, also what they decided. */
function byWords({ state, by }: Receipt): string {
  return state === 'approved' || state === 'rejected' ? `by ${by}` : `approved by ${by}`
}
