import {
  coverSecrets,
  displayWidth,
  hiddenWords,
  type OpenedView,
  RISK_GLYPH,
  safeText,
  toolLabel,
} from '@countersign/core'
import { Box, useIsScreenReaderEnabled } from 'ink'
import type { ReactNode } from 'react'
import { leftText } from '../card/prompt/line.ts'
import { createPaint, RISK_STYLE } from '../card/text/color.ts'
import { cutText } from '../card/text/format.ts'
import { Line } from '../ink/line.tsx'
import { countByRisk } from './reducer.ts'

/** The held calls, one line each, around the selected one. */
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

/** Counts held calls by risk, with the time left of the most urgent one. */
export function QueueBar({
  held,
  hidden = [],
  listed = 0,
  soonest,
  columns,
  color,
}: {
  readonly held: readonly OpenedView[]
  /** Held calls that the filter hides. */
  readonly hidden?: readonly OpenedView[]
  /** Rows of the list below; 0 if there is none. */
  readonly listed?: number
  /** Milliseconds until the first of them expires. */
  readonly soonest: number
  readonly columns: number
  readonly color: boolean
}): ReactNode {
  const paint = createPaint(color)
  const reader = useIsScreenReaderEnabled()
  const counts = countByRisk(held)
  const total = hidden.length === 0 ? `${held.length} held` : `${held.length} of ${held.length + hidden.length} held`
  const unlisted = listed > 0 && held.length > listed ? `${held.length - listed} not listed` : ''
  const out = hiddenWords(hidden.map(({ view }) => ({ risk: view.risk.level })))
  // A screen reader would read a changing time every second.
  const time = held.length < 2 || reader ? '' : `next ${leftText(soonest)}`
  const words = counts.map(({ level, count }) => `${RISK_GLYPH[level]} ${count} ${level}`)
  const move = held.length < 2 ? '' : 'j/k move'
  const text = safeText(joined([total, out, ...words, unlisted, time, move]))
  if (displayWidth(text) > columns) {
    const short = counts.map(({ level, count }) => `${RISK_GLYPH[level]} ${count}`)
    return <Line>{paint(cutText(safeText(joined([total, out, ...short, unlisted, time])), columns), 'bold')}</Line>
  }
  const painted = counts.map(({ level }, at) => paint(words[at] ?? '', ...RISK_STYLE[level]))
  return (
    <Line>
      {joined([
        paint(total, 'bold'),
        paint(out, 'yellow'),
        ...painted,
        paint(unlisted, 'dim'),
        paint(time, 'dim'),
        paint(move, 'cyan'),
      ])}
    </Line>
  )
}

function joined(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' · ')
}
