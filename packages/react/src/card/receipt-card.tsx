import { type Receipt, receiptWords } from '@countersign/core'
import type { ReactNode } from 'react'
import { type HeldCall, isFull, maskedArguments, maskedEffect } from '../call/held-call.ts'
import { formatTime, outcomeSign } from '../text/format.ts'
import { CallEffect, InlineCode } from '../text/inline-code.tsx'
import { SafeTextView } from '../text/safe-text.tsx'

/** The result of a held call: who decided what, and when. */
export function ReceiptCard({
  receipt,
  call,
}: {
  readonly receipt: Receipt
  /** The call, to tell receipts apart. */
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
            {receipt.instead !== undefined && 'requested: '}
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

/** Whether the message repeats the line above it. */
function isRepeated(receipt: Receipt): boolean {
  return receipt.message === receipt.state || receipt.message === receiptWords(receipt)
}

/** A call in one line: its effect, plus arguments if the effect names only the tool. Secrets are masked. */
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
