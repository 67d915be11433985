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
  cardLines,
  createKeyReader,
  createPaint,
  createRows,
  detailLines,
  drawCard,
  factsOf,
  helpLines,
  openPromptState,
  type PromptEffect,
  type PromptInput,
  pagesOf,
  promptLine,
  type Stage,
  type Style,
  stepPrompt,
} from '@countersign/terminal/card'
import type { Terminal } from '../terminal/controlling-terminal.ts'
import { createLiveLine } from './live-line.ts'

/** What a prompt needs around it. */
export interface PromptWorld {
  readonly terminal: Terminal
  readonly clock: Clock
  /** The key that signs opens only with its passphrase; `giveUp` is called when that was wrong too often. */
  readonly seal?: { giveUp(): void }
  /** Hands the decision in. A receipt that says `held` means that it did not count, and the person may try again. */
  decide(decision: Decision, passphrase?: string): Promise<Receipt>
  /** Ctrl-C, or the terminal went away. */
  withdraw(): void
  /** Where one decides with a passkey, in words; asked only where policy demands one. */
  inbox?(): Promise<string>
}

/** A prompt on the terminal. */
export interface Prompt {
  /** Takes it away, leaving one line in its place. Repeated calls do nothing. */
  close(line: string): void
}

/** How a prompt begins: at the choice, or at the second act for someone who already said what they want. */
export interface PromptStart {
  readonly stage?: Stage
  /** The card is on the screen already. */
  readonly printed?: boolean
}

/** Draws a held call and lets the person at the terminal decide it. Thin: what keys mean is `prompt-state.ts`. */
export function openPrompt(opened: OpenedView, world: PromptWorld, start: PromptStart = {}): Prompt {
  const { terminal, clock } = world
  const paint = createPaint(terminal.color)
  const look = { columns: terminal.columns, paint }
  const masked = maskView(opened)
  const drawn = drawCard(masked, look)
  const card = pagesOf(drawn.lines)
  const details = pagesOf(detailLines(masked, { ...look, covered: masked.secrets > 0 }))
  const pages = [...card, ...details]
  const facts = factsOf(
    opened,
    { card: card.length, details: details.length, folded: drawn.folded },
    {
      secrets: masked.secrets,
      sealed: world.seal !== undefined,
    },
  )
  const expires = clock.monotonic() + (opened.body.expiresAt - clock.now())
  const live = createLiveLine(terminal, paint)
  let open = true
  let cancelWake = (): void => {}

  let state = openPromptState(facts, clock.monotonic(), start.stage)
  if (start.printed === true) state = { ...state, read: facts.allPages }
  else print(card[0] ?? [])
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
        print([...cardLines(opened, look), ...detailLines(opened, look)])
        printActions()
        return
      case 'help':
        say(['', ...helpLines(facts), ''])
        return
      case 'grants':
        say(['', 'also allow, without asking:', ...facts.grants.map(({ words }, at) => `${at + 1}  ${words}`)])
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
    if (state.read < card.length)
      rows.text(safeText(`page ${state.read} of ${card.length}; press d for the next page`), { styles: ['yellow'] })
    rows.items(actionWords(facts), ['cyan'])
    print(rows.lines)
  }

  /** Draws the line again, and wakes when it will next read differently. */
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

/** Why a decision was not handed in, as the prompt takes it. */
function failure(error: unknown, at: number): PromptInput {
  if (error instanceof CountersignError && error.code === 'CS_PASSPHRASE') return { kind: 'locked', at }
  return { kind: 'refused', message: error instanceof Error ? error.message : String(error), at }
}
