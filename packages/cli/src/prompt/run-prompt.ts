import {
  type Clock,
  CountersignError,
  type Decision,
  maskView,
  type OpenedView,
  type Receipt,
  safeText,
} from '@countersign/core'
import {
  actionWords,
  armsAt,
  choiceLines,
  createKeyReader,
  createPaint,
  createRows,
  detailLines,
  digestLines,
  drawCard,
  factsOf,
  helpLines,
  openPromptState,
  type PromptEffect,
  type PromptFacts,
  type PromptInput,
  pagesOf,
  promptLine,
  type Stage,
  type Style,
  stepPrompt,
} from '@countersign/terminal/card'
import type { Terminal } from '../terminal/controlling-terminal.ts'
import { createLiveLine } from './live-line.ts'

/** Dependencies of a prompt. */
export interface PromptWorld {
  readonly terminal: Terminal
  readonly clock: Clock
  /** Set if the key needs its passphrase; `giveUp` is called after too many wrong ones. */
  readonly seal?: { giveUp(): void }
  /** Submits the decision. A receipt with state `held` means it was not accepted, and the person can try again. */
  decide(decision: Decision, passphrase?: string): Promise<Receipt>
  /** Called on Ctrl-C, or if the terminal closes. */
  withdraw(): void
  /** How to approve with a passkey; called only if the policy requires one. */
  inbox?(): Promise<string>
}

/** A prompt on the terminal. */
export interface Prompt {
  /** Closes the prompt, leaving one line. Idempotent. */
  close(line: string): void
}

/** The initial stage of a prompt: the choice, or the confirmation of a choice already made. */
export interface PromptStart {
  readonly stage?: Stage
  /** The card was already printed. */
  readonly printed?: boolean
  /** Secrets are shown from the start. */
  readonly revealed?: boolean
}

/** Shows a held call and lets the person decide. The meaning of keys is in the state machine of `@countersign/terminal/card`. */
export function openPrompt(opened: OpenedView, world: PromptWorld, start: PromptStart = {}): Prompt {
  const { terminal, clock } = world
  const paint = createPaint(terminal.color)
  const look = { columns: terminal.columns, paint }
  const masked = maskView(opened)
  const text = (isRevealed: boolean): CardPages => {
    const shown = isRevealed ? opened : masked
    const drawn = drawCard(shown, look)
    const card = pagesOf(drawn.lines)
    const details = pagesOf(detailLines(shown, { ...look, covered: !isRevealed && masked.secrets > 0 }))
    const digests = pagesOf(digestLines(shown, look))
    const size = { card: card.length, details: details.length, digests: digests.length, folded: drawn.folded }
    const facts = factsOf(opened, size, { secrets: masked.secrets, sealed: world.seal !== undefined })
    return { pages: [...card, ...details, ...digests], card: card.length, facts }
  }
  let { pages, card, facts } = text(start.revealed === true)
  const expires = clock.monotonic() + (opened.body.expiresAt - clock.now())
  const live = createLiveLine(terminal, paint)
  let open = true
  let cancelWake = (): void => {}

  let state = openPromptState(facts, clock.monotonic(), start.stage)
  if (start.revealed === true) state = { ...state, revealed: true }
  if (start.printed === true) state = { ...state, read: facts.allPages }
  else print(pages[0] ?? [])
  printActions(start.printed !== true)
  const reader = createKeyReader(
    (ms, wake) => clock.after(ms, wake),
    (keys) => take({ kind: 'keys', keys, at: clock.monotonic() }),
  )
  const stop = terminal.listen(reader.hear, () => {
    if (open) world.withdraw()
  })
  draw()
  if (facts.passkey === true)
    void world.inbox?.().then((words) => {
      if (open) say([words], 'yellow')
    })

  function take(input: PromptInput): void {
    if (!open) return
    const before = state
    const step = stepPrompt(state, input, facts)
    state = step.state
    for (const effect of step.effects) act(effect)
    if (state.note !== null && (state.note !== before.note || input.kind !== 'tick')) say([state.note], 'yellow')
    draw()
  }

  function act(effect: PromptEffect): void {
    switch (effect.kind) {
      case 'decide':
        world.decide(effect.decision, effect.passphrase).then(
          (receipt) => {
            if (!receipt.accepted && receipt.state === 'held')
              take({ kind: 'refused', message: receipt.message, at: clock.monotonic() })
          },
          (error: unknown) => take(failure(error, clock.monotonic())),
        )
        return
      case 'give-up':
        world.seal?.giveUp()
        return
      case 'withdraw':
        world.withdraw()
        return
      case 'page':
        print(pages[effect.page] ?? [])
        printActions()
        return
      case 'reveal':
        ;({ pages, card, facts } = text(true))
        print(pages[0] ?? [])
        printActions()
        return
      case 'help':
        say(['', ...helpLines(facts), ''])
        return
      case 'grants':
        say(['', 'also allow, without asking:', ...choiceLines(facts.grants)])
        return
      case 'grant':
        say([`approving also allows, without asking: ${effect.choice.words}`], 'bold')
        return
    }
  }

  function print(lines: readonly string[]): void {
    live.above(lines)
  }

  function say(paragraphs: readonly string[], ...styles: readonly Style[]): void {
    const rows = createRows(terminal.columns, paint)
    for (const text of paragraphs)
      if (text === '') rows.gap()
      else rows.text(safeText(text), { styles })
    print(rows.lines)
  }

  function printActions(gap = true): void {
    const rows = createRows(terminal.columns, paint)
    if (gap) rows.gap()
    if (state.read < card)
      rows.text(safeText(`page ${state.read} of ${card}; press d for the next page`), { styles: ['yellow'] })
    rows.items(actionWords(facts), ['cyan'])
    print(rows.lines)
  }

  /** Redraws the line, and schedules the next change. */
  function draw(): void {
    if (!open) return
    const now = clock.monotonic()
    const left = expires - now
    live.show(promptLine(state, left, facts))
    const arming = armsAt(state)
    const second = left <= 0 ? 1000 : left % 1000 || 1000
    cancelWake()
    cancelWake = clock.after(Math.max(1, Math.min(second, arming === null ? second : arming - now)), () =>
      take({ kind: 'tick', at: clock.monotonic() }),
    )
  }

  return {
    close(line) {
      if (!open) return
      open = false
      cancelWake()
      reader.reset()
      stop()
      live.end(line)
    },
  }
}

/** The text of a call page by page: first the card, then the details. */
interface CardPages {
  readonly pages: readonly (readonly string[])[]
  /** Pages of the card. */
  readonly card: number
  readonly facts: PromptFacts
}

/** Translates a failed submission into a prompt input. */
function failure(error: unknown, at: number): PromptInput {
  if (error instanceof CountersignError && error.code === 'CS_PASSPHRASE') return { kind: 'locked', at }
  return { kind: 'refused', message: error instanceof Error ? error.message : String(error), at }
}
