import { type Refusal, type SafeText, safeText } from '@countersign/core'
import type { Paint } from './text/color.ts'
import { timeText } from './text/format.ts'
import { join } from './text/rows.ts'

/** The receipt line of a decided call: decision, who, when. */
export function decidedLine(
  receipt: {
    readonly kind: 'approve' | 'reject'
    readonly by: string
    readonly at: number
    readonly surface?: string
    readonly reason?: string | undefined
  },
  paint: Paint,
): string {
  const word = receipt.kind === 'approve' ? 'approved' : 'rejected'
  const from = receipt.surface === undefined ? safeText('') : join` (${safeText(receipt.surface)})`
  const why = receipt.reason === undefined ? safeText('') : join`: “${safeText(receipt.reason)}”`
  const line = join`${timeOfDay(receipt.at)} ${safeText(word)} by ${safeText(receipt.by)}${from}${why}`
  return receipt.kind === 'approve' ? `${paint('✔', 'green')} ${line}` : `${paint('✖', 'red')} ${line}`
}

/** The receipt line of a call that ended without a decision. */
export function endedLine(refusal: Refusal, at: number, paint: Paint): string {
  return `${paint('◌', 'yellow')} ${join`${timeOfDay(at)} ${safeText(refusal.outcome)}: ${safeText(refusal.message)}`}`
}

/** Local time of day. */
export function timeOfDay(at: number): SafeText {
  return timeText(at).slice(-8) as SafeText
}
