import { displayWidth, type OpenedView, type SafeText, safeText } from '@countersign/core'
import { Text, useIsScreenReaderEnabled } from 'ink'
import type { ReactNode } from 'react'
import type { CardFacts, CardState } from '../card/card-state.ts'
import { leftText, promptLine } from '../card/prompt/line.ts'
import { timeOfDay } from '../card/receipt-line.ts'
import { createPaint } from '../card/text/color.ts'

const BAR = 10
const WIDE = 64

/** The status line of a card: time left, choices, and text being typed. */
export function StatusLine({
  opened,
  facts,
  state,
  ask: chosen,
  left,
  columns,
  color,
}: {
  readonly opened: OpenedView
  readonly facts: CardFacts
  readonly state: CardState
  /** Shown instead of the two choices. */
  readonly ask?: string
  readonly left: number
  readonly columns: number
  readonly color: boolean
}): ReactNode {
  const reader = useIsScreenReaderEnabled()
  const paint = createPaint(color)
  const { ask: usual, field, passing } = promptLine(state.prompt, left, facts)
  const ask = state.prompt.stage.kind === 'choose' && !passing ? (chosen ?? usual) : usual
  if (reader) return <Text>{`${ask} ${field === null ? '' : safeText(field)} (${spokenTime(left)})`}</Text>
  const time = leftText(left)
  const wide = columns >= WIDE && field === null
  const whole = opened.body.expiresAt - opened.view.openedAt
  const clock = wide ? `${bar(left / whole)} ${time}, expires ${timeOfDay(opened.body.expiresAt)}` : time
  const room = Math.max(1, columns - displayWidth(clock as SafeText) - ask.length - 5)
  const typed = field === null ? '' : ` ${tail(safeText(field), room)}▏`
  const style = time.startsWith('!') ? (['red', 'bold'] as const) : (['dim'] as const)
  return (
    <Text wrap="truncate-end">{`${paint('❯', 'cyan')} ${paint(`${ask}${typed}`, 'bold')}  ${paint(clock, ...style)}`}</Text>
  )
}

function bar(part: number): string {
  const full = Math.max(0, Math.min(BAR, Math.ceil(part * BAR)))
  return `${'▰'.repeat(full)}${'▱'.repeat(BAR - full)}`
}

/** The time left for screen readers, which changes rarely: whole minutes, then 30 and 10 seconds. */
export function spokenTime(left: number): string {
  const seconds = Math.max(0, Math.ceil(left / 1000))
  if (seconds > 60) return `less than ${Math.ceil(seconds / 60)} minutes left`
  return seconds > 30
    ? 'less than a minute left'
    : seconds > 10
      ? 'less than 30 seconds left'
      : 'less than 10 seconds left'
}

function tail(text: SafeText, columns: number): string {
  if (displayWidth(text) <= columns) return text
  return `…${Array.from(text)
    .slice(-Math.max(1, columns - 1))
    .join('')}`
}
