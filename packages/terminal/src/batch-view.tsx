import { maskView, type OpenedView } from '@countersign/core'
import { Box, useIsScreenReaderEnabled } from 'ink'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { cardLines } from './card/card.ts'
import { type CardFacts, type CardState, openCardState, stepCard } from './card/card-state.ts'
import { createPaint } from './card/color.ts'
import { armsAt } from './card/prompt-state.ts'
import type { CardWorld } from './desk-source.ts'
import { Line } from './line.tsx'
import { useKeys } from './use-keys.ts'
import { useWake } from './use-wake.ts'

const NO_POWERS: ReadonlySet<never> = new Set()

/** Equal calls of low risk, every one of them in full, approved by one armed key: each is a decision of its own. */
export function BatchView({
  calls,
  world,
  width,
  height,
  color,
  onApprove,
  onBack,
}: {
  readonly calls: readonly OpenedView[]
  readonly world: CardWorld
  readonly width: number
  readonly height: number
  readonly color: boolean
  readonly onApprove: () => void
  readonly onBack: () => void
}): ReactNode {
  const reader = useIsScreenReaderEnabled()
  const [, redraw] = useState(0)
  const rows = useMemo(() => {
    const look = { columns: width, paint: createPaint(color), full: null }
    return calls.flatMap((opened) => cardLines(maskView(opened).opened, look))
  }, [calls, width, color])
  const window = Math.max(1, height - 3)
  const facts: CardFacts = {
    act: 'one',
    code: '',
    pages: rows.length,
    allPages: rows.length,
    grants: [],
    secrets: 0,
    rows: rows.length,
    window,
    powers: NO_POWERS,
  }
  const kept = useRef<CardState | null>(null)
  kept.current ??= openCardState(facts, world.clock.monotonic())
  const state = kept.current

  function take(input: Parameters<typeof stepCard>[1]): void {
    const step = stepCard(kept.current ?? state, input, facts)
    kept.current = step.state
    if (step.effects.some((effect) => effect.kind === 'decide')) onApprove()
    redraw((count) => count + 1)
  }

  useKeys((keys) => {
    const [key] = keys
    const letter = key?.kind === 'text' ? key.text.toLowerCase() : ''
    if (key?.kind === 'interrupt' || key?.kind === 'escape' || 'nbq'.split('').includes(letter)) return onBack()
    const reads = key?.kind === 'other' || (key?.kind === 'next' && (key.arrow === 'up' || key.arrow === 'down'))
    // Only `y` approves and only reading scrolls: Enter and the rest of a card's keys mean nothing here.
    const isTaken =
      keys.length > 1 || key?.kind === 'paste' || reads || letter === 'y' || letter === 'd' || letter === ' '
    if (isTaken) take({ kind: 'keys', keys, at: world.clock.monotonic() })
  })
  useWake(world.clock, armsAt(state.prompt), () => take({ kind: 'tick', at: world.clock.monotonic() }))

  const paint = createPaint(color)
  const below = Math.max(0, rows.length - state.top - window)
  const ask = !state.prompt.armed
    ? 'one moment …'
    : below > 0
      ? 'Space reads on · Esc back'
      : `y approves all ${calls.length} · Esc back`
  return (
    <Box flexDirection="column" width={width}>
      <Line>{paint(`${calls.length} equal calls, each decided for itself`, 'bold')}</Line>
      <Box flexDirection="column" height={reader ? undefined : Math.min(window, rows.length)}>
        {rows.slice(state.top, state.top + window).map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the text
          <Line key={state.top + at}>{row}</Line>
        ))}
      </Box>
      <Line>{paint(below > 0 ? `▼ ${below} of ${rows.length} rows below` : `end of ${rows.length} rows`, 'dim')}</Line>
      <Line>{paint(ask, 'cyan')}</Line>
    </Box>
  )
}
