import { type Receipt, receiptWords } from '@countersign/core'
import type { ReactNode } from 'react'
import type { HeldCall } from '../call/held-call.ts'
import { clockWords, signOf } from '../text/format.ts'
import { Ticked } from '../text/inline-code.tsx'
import { Safe } from '../text/safe-text.tsx'
import { CallLine } from './call-summary.tsx'

/** What became of a held call: who, what, when. Stays where the card was. */
export function ReceiptCard({
  receipt,
  call,
}: {
  readonly receipt: Receipt
  /** The call that it is for: what it would have done, and with what, so that two receipts can be told apart. */
  readonly call?: HeldCall
}): ReactNode {
  const { isGood, sign } = signOf(receipt.state)
  return (
    <div className={`cs-receipt ${isGood ? 'cs-receipt-yes' : 'cs-receipt-no'}`} role="status">
      <span className="cs-receipt-sign" aria-hidden="true">
        {sign}
      </span>
      <div>
        <p className="cs-receipt-words">
          <Safe text={receiptWords(receipt)} />
          <span className="cs-dim"> at {clockWords(receipt.at)}</span>
        </p>
        {receipt.instead !== undefined && (
          <p className="cs-receipt-effect">
            <Ticked text={receipt.instead} />
          </p>
        )}
        {call !== undefined && (
          <p className={receipt.instead === undefined ? 'cs-receipt-effect' : 'cs-receipt-effect cs-dim'}>
            {receipt.instead !== undefined && 'asked for: '}
            <CallLine call={call} />
          </p>
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
function isRepeated(receipt: Receipt): boolean {
  return receipt.message === receipt.state || receipt.message === receiptWords(receipt)
}
