import { displayWidth, type OpenedView, safeText } from '@countersign/core'
import { useIsScreenReaderEnabled } from 'ink'
import type { ReactNode } from 'react'
import { leftText } from '../card/prompt/line.ts'
import { createPaint, RISK_GLYPH, RISK_STYLE } from '../card/text/color.ts'
import { cutText } from '../card/text/truncate.ts'
import { Line } from '../ink/line.tsx'
import { countByRisk } from './reducer.ts'

/** How many wait, of which risk, and how long the most urgent still does. */
export function QueueBar({
  held,
  soonest,
  columns,
  color,
}: {
  readonly held: readonly OpenedView[]
  /** Milliseconds until the first of them expires. */
  readonly soonest: number
  readonly columns: number
  readonly color: boolean
}): ReactNode {
  const paint = createPaint(color)
  const reader = useIsScreenReaderEnabled()
  const counts = countByRisk(held)
  const total = `${held.length} held`
  // A time that changes each second would be read out each second.
  const time = held.length < 2 || reader ? '' : `next ${leftText(soonest)}`
  const words = counts.map(({ level, count }) => `${RISK_GLYPH[level]} ${count} ${level}`)
  const move = held.length < 2 ? '' : 'j/k moves'
  const text = safeText(joined([total, ...words, time, move]))
  if (displayWidth(text) > columns) {
    const short = counts.map(({ level, count }) => `${RISK_GLYPH[level]} ${count}`)
    return <Line>{paint(cutText(safeText(joined([total, ...short, time])), columns), 'bold')}</Line>
  }
  const painted = counts.map(({ level }, at) => paint(words[at] ?? '', ...RISK_STYLE[level]))
  return <Line>{joined([paint(total, 'bold'), ...painted, paint(time, 'dim'), paint(move, 'cyan')])}</Line>
}

function joined(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' · ')
}
