import { displayWidth, type OpenedView, type SafeText, safeText } from '@countersign/core'
import { Box, type BoxProps, useIsScreenReaderEnabled } from 'ink'
import { type ReactNode, useMemo } from 'react'
import { headerText } from '../card/card.ts'
import type { CardEffect, CardPower } from '../card/card-state.ts'
import type { Key } from '../card/keys/key.ts'
import type { PromptState } from '../card/prompt/stage.ts'
import { armsAt, isField } from '../card/prompt/state-machine.ts'
import { createPaint, RISK_STYLE } from '../card/text/color.ts'
import { cutText } from '../card/text/format.ts'
import { Line } from '../ink/line.tsx'
import { useKeys } from '../ink/use-keys.ts'
import type { CardWorld } from './approval-source.ts'
import { GrantDialog, grantHint, useGrantRows } from './grant-dialog.tsx'
import { actionLines, scrollHint } from './key-hints.ts'
import { StatusLine } from './status-line.tsx'
import { useCard } from './use-card.ts'

/** Props of a card. */
export interface HeldCardProps {
  readonly opened: OpenedView
  readonly world: CardWorld
  /** Maximum size. */
  readonly width: number
  readonly height: number
  readonly color: boolean
  /** Position in the queue. */
  readonly place?: { readonly at: number; readonly of: number }
  /** Whether the card takes keys. */
  readonly isActive: boolean
  readonly powers: ReadonlySet<CardPower>
  /** Effects that the card does not handle itself: `withdraw` (Ctrl-C), `queue`, `full`, `batch`, `undo`, `quit`. */
  readonly onEffect: (effect: CardEffect) => void
  /** Called with every key before the card handles it, and whether the card uses it. */
  readonly onKeys?: (keys: readonly Key[], isTaken: boolean) => void
}

/** Whether the card uses these keys: not before it is armed, and pastes only in a text field. */
function takesKeys(prompt: PromptState, keys: readonly Key[], at: number): boolean {
  if ((armsAt(prompt) ?? at) > at) return false
  return isField(prompt.stage) || !keys.some(({ kind }) => kind === 'paste')
}

/** The frame of each risk level. */
const FRAME: Readonly<Record<string, Pick<BoxProps, 'borderStyle' | 'borderColor'>>> = {
  none: { borderStyle: 'round', borderColor: 'gray' },
  low: { borderStyle: 'round', borderColor: 'green' },
  medium: { borderStyle: 'round', borderColor: 'yellow' },
  high: { borderStyle: 'bold', borderColor: 'red' },
  critical: { borderStyle: 'double', borderColor: 'red' },
}

const NEUTRAL: Pick<BoxProps, 'borderStyle' | 'borderColor'> = { borderStyle: 'round' }

/**
 * A held call in a frame of fixed size: header, scrolling text, time and choices. Use `key={opened.view.requestDigest}`:
 * each request needs its own card, which arms again.
 */
export function HeldCard(props: HeldCardProps): ReactNode {
  const { opened, world, width, height, color, place, powers } = props
  const reader = useIsScreenReaderEnabled()
  const framed = !reader && width >= 30 && height >= 9
  const columns = framed ? width - 4 : width
  const paint = useMemo(() => createPaint(color), [color])
  const level = opened.view.risk.level
  const small = height < 18 || width < 60
  const chrome = (framed ? 2 : 0) + 3
  const card = useCard(opened, {
    world,
    columns: columns + 1,
    paint,
    color,
    powers,
    window: (hasNote, room) =>
      height - chrome - actionRows(small || room !== 'loose') - (hasNote ? 1 : 0) + (room === 'whole' ? 1 : 0),
    onEffect: props.onEffect,
  })
  const { state, facts, rows } = card
  const { stage, note } = state.prompt
  const picking = stage.kind === 'grant' || (stage.kind === 'again' && stage.grant !== null)
  const dialog = useGrantRows({
    stage,
    grants: facts.grants,
    world,
    columns,
    rows: facts.window - (card.room === 'whole' ? 1 : 0),
  })
  useKeys((keys) => {
    const at = world.clock.monotonic()
    props.onKeys?.(keys, takesKeys(card.state.prompt, keys, at))
    const isArmed = (armsAt(state.prompt) ?? at) <= at
    const [key] = keys
    // Until the prompt is armed, a key that scrolls also delays that, as every other key does.
    if (picking && key !== undefined && keys.length === 1 && dialog.scroll(key) && isArmed) return
    if (picking && isArmed && dialog.isChosen && !dialog.isRead && keys.some(isYes))
      return card.take({ kind: 'note', text: 'read to the end first: Space scrolls' })
    card.take({ kind: 'keys', keys, at })
  }, props.isActive)

  // The risk is that of the original call; the edited one is not rated yet.
  const isEdited = state.edited !== null
  const frame = isEdited ? NEUTRAL : FRAME[level]
  // With every row in the window, the row below it has nothing to say.
  const isWhole = card.room === 'whole' && !picking
  const hint = isWhole
    ? null
    : picking
      ? cutText(safeText(grantHint(dialog)), columns)
      : scrollHint(state, facts, columns)
  const visible = rows.slice(state.top, state.top + facts.window)
  const actions = actionLines(facts, state, columns, actionRows(small || card.room !== 'loose'))
  const count = place === undefined || place.of < 2 ? '' : `${place.at} of ${place.of}`
  return (
    <Box
      flexDirection="column"
      width={width}
      {...(framed ? { ...(color ? frame : { borderStyle: frame?.borderStyle }), paddingX: 1 } : {})}
    >
      <Line>
        {paint(headLine(headerText(opened, isEdited), count, columns), ...(isEdited ? [] : RISK_STYLE[level]))}
      </Line>
      {picking ? (
        <GrantDialog rows={dialog} />
      ) : (
        <Box flexDirection="column" height={reader ? undefined : Math.min(facts.window, Math.max(rows.length, 1))}>
          {visible.map((row, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the text
            <Line key={state.top + at}>{row}</Line>
          ))}
        </Box>
      )}
      {hint === null ? null : <Line>{paint(hint, 'dim')}</Line>}
      {note === null ? null : <Line>{paint(cutText(safeText(note), columns), 'yellow')}</Line>}
      <StatusLine opened={opened} facts={card.facts} state={state} left={card.left} columns={columns} color={color} />
      {actions.map((line) => (
        <Line key={line}>{paint(line, 'cyan')}</Line>
      ))}
    </Box>
  )
}

function isYes(key: Key): boolean {
  return key.kind === 'text' && key.text.toLowerCase() === 'y'
}

function actionRows(small: boolean): number {
  return small ? 1 : 2
}

function headLine(head: SafeText, count: string, columns: number): string {
  const room = columns - (count === '' ? 0 : count.length + 2)
  const text = cutText(head, room)
  return count === ''
    ? text
    : `${text}${' '.repeat(Math.max(2, columns - displayWidth(text as SafeText) - count.length))}${count}`
}
