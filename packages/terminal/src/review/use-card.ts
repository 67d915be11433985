import { CountersignError, maskView, type OpenedView } from '@countersign/core'
import { useMemo, useRef } from 'react'
import type { CardEffect, CardFacts, CardPower, CardState } from '../card/card-state.ts'
import { factsOf } from '../card/prompt/choice.ts'
import type { Paint } from '../card/text/color.ts'
import { useHighlight } from '../highlight/use-highlight.ts'
import type { CardWorld } from './approval-source.ts'
import { cardText, helpText, rawText } from './card-text.ts'
import { type CardSteps, useCardSteps } from './use-card-steps.ts'

/** Settings of a card. */
export interface CardSetting {
  readonly world: CardWorld
  readonly columns: number
  readonly paint: Paint
  readonly color: boolean
  readonly powers: ReadonlySet<CardPower>
  /** Height of the text window, with or without a note; `tight` gives it every row that is not needed elsewhere. */
  window(hasNote: boolean, tight: 'loose' | 'tight' | 'whole'): number
  /** Effects that the card does not handle itself: quit, move in the queue, undo, withdraw. */
  onEffect(effect: CardEffect): void
}

/** Minimum width for side-by-side diffs. */
const SPLIT = 116

/** INVARIANT: L10 maximum size to copy: terminals drop or cut more. */
const MOST_COPIED = 64 * 1024

/** Time after which a submitted decision counts as not accepted. */
const STUCK_MS = 3_000

/** A card on the screen. */
export interface LiveCard extends CardSteps {
  readonly facts: CardFacts
  /** How much room the text takes: `whole` needs no row for scrolling. */
  readonly room: 'loose' | 'tight' | 'whole'
  /** All rows of the current page. */
  readonly rows: readonly string[]
}

/** The state of one held call on the screen. Use a new instance for each request: arming starts at its first paint. */
export function useCard(opened: OpenedView, setting: CardSetting): LiveCard {
  const { world, columns, paint, powers } = setting
  const { clock } = world
  const kept = useRef<CardState | null>(null)

  const shown = kept.current
  const highlight = useHighlight(setting.color)
  const look = useMemo(
    () => ({ columns, paint, split: columns >= SPLIT, ...(highlight === undefined ? {} : { highlight }) }),
    [columns, paint, highlight],
  )
  const revealed = shown?.revealed ?? false
  const details = shown?.details ?? false
  const edited = shown?.edited ?? null
  const loose = setting.window(false, 'loose')
  const text = useMemo(() => {
    const spaced = cardText(opened, { revealed, details, edited }, look)
    return spaced.rows.length <= loose
      ? spaced
      : cardText(opened, { revealed, details, edited }, { ...look, tight: true })
  }, [opened, revealed, details, edited, look, loose])
  const base = useMemo(() => {
    const facts = factsOf(
      opened,
      { card: text.needed, details: 0 },
      { secrets: text.secrets, sealed: world.sealed === true, rules: world.proposeRule !== undefined },
    )
    return { ...facts, pages: text.needed, allPages: text.needed, ...(edited === null ? {} : { grants: [] }) }
  }, [opened, text, edited, world.sealed, world.proposeRule])
  const page = shown?.page ?? 'card'
  const rows = useMemo(() => {
    if (page === 'raw') return rawText(opened, { revealed, details, edited }, look)
    return page === 'help' ? helpText(base, powers, look) : text.rows
  }, [page, opened, revealed, details, edited, look, base, powers, text])
  const hasNote = (shown?.prompt.note ?? null) !== null
  const room = roomOf(rows.length, (one) => setting.window(hasNote, one))
  const window = Math.max(1, setting.window(hasNote, room))
  const facts: CardFacts = { ...base, rows: rows.length, window, powers }
  const moment = { facts, text: text.rows, clock, expiresAt: opened.body.expiresAt }
  const { state, left, take } = useCardSteps(kept, moment, act)

  /** The process that holds the call has not accepted the decision; the person can try again. */
  function stuck(): void {
    if (kept.current?.prompt.stage.kind === 'sent')
      take({ kind: 'refused', message: 'still held: the decision was not accepted', at: clock.monotonic() })
  }

  function act(effect: CardEffect, { edited: args }: CardState): void {
    const at = (): number => clock.monotonic()
    const say = (error: unknown): string => (error instanceof Error ? error.message : String(error))
    switch (effect.kind) {
      case 'decide':
        world.decide(opened, effect.decision, effect.passphrase, effect.rule).then(
          (receipt) => {
            if (receipt.accepted) {
              if (world.remote === true) clock.after(STUCK_MS, () => stuck())
            } else if (receipt.state === 'held') take({ kind: 'refused', message: receipt.message, at: at() })
            // Already decided elsewhere, or over.
            else take({ kind: 'note', text: receipt.message })
          },
          (error: unknown) => {
            const isLocked = error instanceof CountersignError && error.code === 'CS_PASSPHRASE'
            take(isLocked ? { kind: 'locked', at: at() } : { kind: 'refused', message: say(error), at: at() })
          },
        )
        return
      case 'grant':
        if ('rule' in effect.choice)
          world.proposeRule?.(opened, effect.choice.rule).then(
            (proposal) => take({ kind: 'proposed', proposal, at: at() }),
            (error: unknown) => take({ kind: 'refused', message: say(error), at: at() }),
          )
        return
      case 'give-up':
        take({ kind: 'refused', message: 'wrong passphrase; the call is still held', at: at() })
        return
      case 'edit':
        world.edit?.(args ?? opened.body.call.args, effect.whole === true).then(
          (answer) => {
            if (answer.kind === 'edited') take({ kind: 'edited', args: answer.args, at: at() })
            else take({ kind: 'note', text: answer.kind === 'failed' ? answer.message : 'nothing changed' })
          },
          (error: unknown) => take({ kind: 'note', text: say(error) }),
        )
        return
      case 'copy':
        take({ kind: 'note', text: copy() })
        return
      default:
        setting.onEffect(effect)
    }
  }

  /** SECURITY: other programs can read the clipboard, so secrets are masked as on the screen. */
  function copy(): string {
    const isCovered = kept.current?.revealed !== true && base.secrets > 0
    const copied = copyText(isCovered ? maskView(opened) : opened)
    if (copied.length > MOST_COPIED) return `too long to copy: over ${MOST_COPIED / 1024} KiB`
    world.copy?.(copied)
    return `copied${isCovered ? ' with secrets masked (press v to show them)' : ''}, if the terminal allows it`
  }

  return { state, facts, room, rows, left, take }
}

/** The command, or the arguments. */
function copyText({ view, body }: OpenedView): string {
  return view.preview.kind === 'command' ? view.preview.command : JSON.stringify(body.call.args, null, 2)
}

/** The most spacious way in which all rows fit; if none does, they scroll. */
function roomOf(rows: number, window: (room: LiveCard['room']) => number): LiveCard['room'] {
  if (rows <= window('loose')) return 'loose'
  return rows <= window('whole') ? 'whole' : 'tight'
}
