import { type Receipt, receiptWords } from '@countersign/core'
import type { ReactNode } from 'react'
import { type HeldCall, isFull, maskedArguments, maskedEffect } from '../call/held-call.ts'
import { formatTime, outcomeSign } from '../text/format.ts'
import { CallEffect, InlineCode } from '../text/inline-code.tsx'
import { SafeTextView } from '../text/safe-text.tsx'

/** What became of a held call: who, what, when. Stays where the card was. */
export function ReceiptCard({
  receipt,
  call,
}: {
  readonly receipt: Receipt
  /** The call that it is for: what it would have done, and with what, so that two receipts can be told apart. */
  readonly call?: HeldCall
}): ReactNode {
  const { isGood, sign } = outcomeSign(receipt.state)
  return (
    <div className={`cs-receipt ${isGood ? 'cs-receipt-yes' : 'cs-receipt-no'}`} role="status">
      <span className="cs-receipt-sign" aria-hidden="true">
        {sign}
      </span>
      <div>
        <p className="cs-receipt-words">
          <SafeTextView text={receiptWords(receipt)} />
          <span className="cs-dim"> at {formatTime(receipt.at)}</span>
        </p>
        {receipt.instead !== undefined && (
          <p className="cs-receipt-effect">
            <InlineCode text={receipt.instead} />
          </p>
        )}
        {call !== undefined && (
          <p className={receipt.instead === undefined ? 'cs-receipt-effect' : 'cs-receipt-effect cs-dim'}>
            {receipt.instead !== undefined && 'asked for: '}
            <CallSummary call={call} />
          </p>
        )}
        {!receipt.accepted && !isRepeated(receipt) && (
          <p className="cs-dim">
            <SafeTextView text={receipt.message} />
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

/** A call in one line: what it would do, and its arguments where that says too little. Secrets are covered. */
export function CallSummary({ call }: { readonly call: HeldCall }): ReactNode {
  const brief = maskedArguments(call)
  return (
    <>
      <CallEffect text={maskedEffect(call)} request={isFull(call) ? call.request : null} />
      {brief !== '' && (
        <span className="cs-brief">
          {' '}
          <SafeTextView text={brief} />
        </span>
      )}
    </>
  )
}
