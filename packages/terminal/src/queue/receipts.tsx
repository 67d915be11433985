import { safeText } from '@countersign/core'
import { Box } from 'ink'
import type { ReactNode } from 'react'
import { timeOfDay } from '../card/receipt-line.ts'
import { createPaint, type Paint } from '../card/text/color.ts'
import { cutText } from '../card/text/format.ts'
import { join } from '../card/text/rows.ts'
import { Line } from '../ink/line.tsx'
import type { CallReceipt } from '../review/approval-source.ts'

const SIGNS = { approved: '✔', rejected: '✖', denied: '✖' } as const
const COLORS = { '✔': 'green', '✖': 'red', '◌': 'yellow' } as const

/** A receipt as one line: outcome, who decided, and when. */
export function receiptText(receipt: CallReceipt, columns: number, paint: Paint): string {
  const { outcome, ended, contained, edited, by, surface, reason, summary, mark, heldMs, at } = receipt
  const sign = SIGNS[outcome as keyof typeof SIGNS] ?? '◌'
  const none = safeText('')
  const who = by === null ? none : join` by ${by}`
  const where = surface === null ? none : join` (${surface})`
  const why = reason === null ? none : join`: “${reason}”`
  const edit = edited ? safeText(' edited') : none
  const end = ended === null ? none : join`, ${safeText(contained ? `${ended} in the sandbox` : ended)}`
  const tail = safeText(` · ${mark} · ${secondsText(heldMs)}`)
  const line = join`${timeOfDay(at)} ${safeText(outcome)}${edit}${who}${where}${end}${why} · ${summary}`
  const wide = columns >= 60
  return `${paint(sign, COLORS[sign])} ${cutText(line, columns - 2 - (wide ? tail.length : 0))}${wide ? paint(tail, 'dim') : ''}`
}

/** The newest receipts. */
export function Receipts({
  receipts,
  columns,
  rows,
  color,
}: {
  readonly receipts: readonly CallReceipt[]
  readonly columns: number
  readonly rows: number
  readonly color: boolean
}): ReactNode {
  return (
    <Box flexDirection="column">
      {receipts.slice(0, rows).map((receipt) => (
        <Line key={receipt.callId}>{receiptText(receipt, columns, createPaint(color))}</Line>
      ))}
    </Box>
  )
}

function secondsText(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`
}
