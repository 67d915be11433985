import { coverSecrets, type OpenedView, safeText, toolLabel } from '@countersign/core'
import { Box } from 'ink'
import type { ReactNode } from 'react'
import { createPaint, RISK_GLYPH, RISK_STYLE } from '../card/text/color.ts'
import { cutText } from '../card/text/truncate.ts'
import { Line } from '../ink/line.tsx'

/** What waits, one line each, around the one that is looked at. */
export function QueueList({
  held,
  selected,
  columns,
  rows,
  color,
}: {
  readonly held: readonly OpenedView[]
  readonly selected: string | null
  readonly columns: number
  readonly rows: number
  readonly color: boolean
}): ReactNode {
  const paint = createPaint(color)
  const at = held.findIndex(({ view }) => view.id === selected)
  const from = Math.max(0, Math.min(at - Math.floor(rows / 2), held.length - rows))
  return (
    <Box flexDirection="column">
      {held.slice(from, from + rows).map(({ view, body }) => {
        const isSelected = view.id === selected
        const glyph = RISK_GLYPH[view.risk.level].padEnd(3)
        const text = safeText(`${toolLabel(body.call.tool)} · ${coverSecrets(view.effect)}`)
        const lead = `${isSelected ? '❯' : ' '} `
        return (
          <Line key={view.requestDigest}>
            {`${lead}${paint(glyph, ...RISK_STYLE[view.risk.level])} ${paint(cutText(text, columns - 7), ...(isSelected ? (['bold'] as const) : (['dim'] as const)))}`}
          </Line>
        )
      })}
    </Box>
  )
}
