import type { Clock } from '@countersign/core'
import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import {
  type CardEffect,
  type CardFacts,
  type CardInput,
  type CardState,
  openCardState,
  stepCard,
} from '../card/card-state.ts'
import { armsAt } from '../card/prompt/state-machine.ts'
import { rowsRead } from '../card/text/reading-progress.ts'
import { useWake } from '../ink/use-wake.ts'

/** The current inputs of a card. */
export interface CardMoment {
  readonly facts: CardFacts
  /** The rows that count as read, even while another page is shown. */
  readonly text: readonly string[]
  readonly clock: Clock
  /** Expiry, in wall-clock milliseconds. */
  readonly expiresAt: number
}

/** The current state of a card. */
export interface CardSteps {
  readonly state: CardState
  /** Milliseconds until it expires. */
  readonly left: number
  take(input: CardInput): void
}

/** Updates a card's state on input, time and layout changes. */
export function useCardSteps(
  kept: RefObject<CardState | null>,
  { facts, text, clock, expiresAt }: CardMoment,
  act: (effect: CardEffect, state: CardState) => void,
): CardSteps {
  const [, redraw] = useState(0)
  const [expires] = useState(() => clock.monotonic() + (expiresAt - clock.now()))
  kept.current ??= openCardState(facts, clock.monotonic())
  const state = kept.current

  function take(input: CardInput): void {
    const now = kept.current
    if (now === null) return
    const step = stepCard(now, input, facts)
    kept.current = step.state
    for (const effect of step.effects) act(effect, step.state)
    redraw((count) => count + 1)
  }

  const before = useRef(text)
  const laid = useEffectEvent(() => {
    const { prompt, top } = kept.current ?? state
    const isSame = before.current === text
    const again = (rows: number): number => (isSame ? rows : rowsRead(before.current.slice(0, rows), text))
    const input = { kind: 'laid', read: again(prompt.read), top: again(top) } as const
    before.current = text
    take(input)
  })
  // SECURITY: A14 runs before any key: reading progress must be recomputed for each layout.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or another window is what is told
  useLayoutEffect(() => laid(), [text, facts.rows, facts.window])

  // Arming starts when the first frame is on the screen.
  const painted = useEffectEvent(() => {
    if (kept.current !== null)
      kept.current = { ...kept.current, prompt: { ...kept.current.prompt, paintedAt: clock.monotonic() } }
  })
  useEffect(() => painted(), [])

  const now = clock.monotonic()
  const left = expires - now
  const arming = armsAt(state.prompt)
  const second = now + (left <= 0 ? 1000 : left % 1000 || 1000)
  useWake(clock, arming === null ? second : Math.min(second, Math.max(arming, now + 1)), () =>
    take({ kind: 'tick', at: clock.monotonic() }),
  )
  return { state, left, take }
}
