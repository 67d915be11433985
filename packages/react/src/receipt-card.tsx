import type { Receipt } from '@countersign/core'
import type { ReactNode } from 'react'
import { Safe } from './safe.tsx'
import { clockWords } from './words.ts'

const GOOD = new Set(['approved', 'completed', 'started', 'decided', 'released'])

/** What became of a held call: who, what, when. Stays where the card was. */
export function ReceiptCard({
  receipt,
  effect,
}: {
  readonly receipt: Receipt
  /** What the call would have done; a text is escaped. */
  readonly effect?: ReactNode
}): ReactNode {
  const isGood = GOOD.has(receipt.state)
  return (
    <div className={`cs-receipt ${isGood ? 'cs-receipt-yes' : 'cs-receipt-no'}`} role="status">
      <span className="cs-receipt-sign" aria-hidden="true">
        {isGood ? '✔' : receipt.state === 'expired' ? '◌' : '✖'}
      </span>
      <div>
        <p className="cs-receipt-words">
          <Safe text={receipt.state} />
          {receipt.by !== null && (
            <>
              {' by '}
              <Safe text={receipt.by} />
            </>
          )}
          <span className="cs-dim"> at {clockWords(receipt.at)}</span>
        </p>
        {effect !== undefined && (
          <p className="cs-receipt-effect">{typeof effect === 'string' ? <Safe text={effect} /> : effect}</p>
        )}
        {!receipt.accepted && !isRepeated(receipt) && (
          <p className="cs-dim">
            <Safe text={receipt.message} />
          </p>
        )}
      </div>
    </div>
  )
}

/** A message that only says again what stands above it. */
function isRepeated({ state, by, message }: Receipt): boolean {
  return message === state || message === `${state} by ${by}`
}
