import { type Decision, markOf, maskView, type OpenedView, safeText } from '@countersign/core'
import { Box, useIsScreenReaderEnabled } from 'ink'
import { type ReactNode, useMemo, useRef } from 'react'
import { cardLines } from '../card/card.ts'
import type { CardFacts, CardState } from '../card/card-state.ts'
import type { Key } from '../card/keys/key.ts'
import { actionWords } from '../card/prompt/line.ts'
import { isField } from '../card/prompt/state-machine.ts'
import { createPaint } from '../card/text/color.ts'
import { cutText } from '../card/text/format.ts'
import { Line } from '../ink/line.tsx'
import { useKeys } from '../ink/use-keys.ts'
import type { CardWorld } from './approval-source.ts'
import { layWords, scrollHint } from './key-hints.ts'
import { StatusLine } from './status-line.tsx'
import { useCardSteps } from './use-card-steps.ts'

const NO_POWERS: ReadonlySet<never> = new Set()
const CHROME = 4

/** Props of the batch view. */
export interface BatchViewProps {
  readonly calls: readonly OpenedView[]
  readonly world: CardWorld
  readonly width: number
  readonly height: number
  readonly color: boolean
  /** Called with the decision for all of these calls. */
  readonly onDecide: (calls: readonly OpenedView[], decision: Decision) => void
  readonly onBack: () => void
}

/**
 * Shows similar calls in full and decides them with one key; each gets its own decision. Use the digests of the calls as
 * `key`: another batch must be read and armed again.
 */
export function BatchView({ calls, world, width, height, color, onDecide, onBack }: BatchViewProps): ReactNode {
  const reader = useIsScreenReaderEnabled()
  const paint = useMemo(() => createPaint(color), [color])
  const kept = useRef<CardState | null>(null)
  const masked = useMemo(() => calls.map(maskView), [calls])
  const revealed = kept.current?.revealed ?? false
  const rows = useMemo(() => {
    const shown = revealed ? calls : masked
    return shown.flatMap((opened, at) => [
      ...(at === 0 ? [] : ['']),
      paint(`${at + 1} of ${calls.length} · ${markOf(opened.view)}`, 'dim'),
      ...cardLines(opened, { columns: width, paint, full: null }).slice(1),
    ])
  }, [calls, masked, revealed, width, paint])
  const secrets = masked.reduce((sum, one) => sum + one.secrets, 0)
  const facts: CardFacts = {
    act: 'one',
    code: '',
    pages: rows.length,
    allPages: rows.length,
    grants: [],
    secrets,
    // One key decides many calls, so their secrets must be shown at any risk. SECURITY: A14
    ...(secrets > 0 ? { mustReveal: true } : {}),
    verbs: { approve: `Approve all ${calls.length}`, reject: 'Reject all' },
    rows: rows.length,
    window: Math.max(1, height - CHROME - (kept.current === null || kept.current.prompt.note === null ? 0 : 1)),
    powers: NO_POWERS,
  }
  const soonest = calls.reduce((one, other) => (other.body.expiresAt < one.body.expiresAt ? other : one))
  const moment = { facts, text: rows, clock: world.clock, expiresAt: soonest.body.expiresAt }
  const { state, left, take } = useCardSteps(kept, moment, (effect) => {
    if (effect.kind === 'withdraw') onBack()
    if (effect.kind !== 'decide') return
    const late = calls.filter(({ body }) => body.expiresAt <= world.clock.now()).length
    if (late === 0 || effect.decision.kind === 'reject') return onDecide(calls, effect.decision)
    // SECURITY: L6 if some have expired, the rest must be shown and read again.
    take({ kind: 'refused', message: `${late} of them expired; nothing was approved`, at: world.clock.monotonic() })
  })

  useKeys((keys) => {
    const [key] = keys
    const isTyping = isField(state.prompt.stage)
    if (!isTyping && keys.length === 1 && key !== undefined && leaves(key)) return onBack()
    if (isTyping || keys.length > 1 || (key !== undefined && isTaken(key)))
      take({ kind: 'keys', keys: isTyping ? keys : keys.map(readsOn), at: world.clock.monotonic() })
  })

  const { note, read } = state.prompt
  const isHidden = secrets > 0 && !state.prompt.revealed
  const ask = isHidden
    ? 'press v to show the hidden secrets first'
    : read < facts.pages
      ? 'scroll to the end first'
      : `y to approve all ${calls.length}`
  const words = isField(state.prompt.stage)
    ? 'Enter to confirm · Esc back'
    : layWords([...actionWords(facts).filter(isOfMany), 'Space scroll'], 'Esc back', width - 1, 1)[0]
  return (
    <Box flexDirection="column" width={width}>
      <Line>{paint(`${calls.length} similar calls, decided together`, 'bold')}</Line>
      <Box flexDirection="column" height={reader ? undefined : Math.min(facts.window, rows.length)}>
        {rows.slice(state.top, state.top + facts.window).map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the text
          <Line key={state.top + at}>{row}</Line>
        ))}
      </Box>
      <Line>{paint(scrollHint(state, facts, width - 1), 'dim')}</Line>
      {note === null ? null : <Line>{paint(cutText(safeText(note), width - 1), 'yellow')}</Line>}
      <StatusLine
        opened={soonest}
        facts={facts}
        state={state}
        ask={ask}
        left={left}
        columns={width - 1}
        color={color}
      />
      <Line>{paint(words ?? '', 'cyan')}</Line>
    </Box>
  )
}

function leaves(key: Key): boolean {
  return key.kind === 'interrupt' || key.kind === 'escape' || (key.kind === 'text' && /^[bq]$/i.test(key.text))
}

/** Whether a key does something here: letters decide and scroll keys scroll; Enter and Tab do nothing. */
function isTaken(key: Key): boolean {
  if (key.kind === 'text') return /^[ynrvd ]$/i.test(key.text)
  const scrolls = key.kind === 'next' && (key.arrow === 'up' || key.arrow === 'down')
  return scrolls || key.kind === 'other' || key.kind === 'paste'
}

/** `d` scrolls as on a card, but there are no details after the end. */
function readsOn(key: Key): Key {
  return key.kind === 'text' && /^d$/i.test(key.text) ? { kind: 'text', text: ' ' } : key
}

/** Whether a key hint also applies to a batch. */
function isOfMany(word: string): boolean {
  return !word.startsWith('?') && !word.startsWith('d ')
}
