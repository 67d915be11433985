import type { Clock, Decision, OpenedView, Receipt } from '@countersign/core'
import { safeText } from '@countersign/core'
import { createPaint, type Style } from '../color.ts'
import { cardLines, drawCard } from './card.ts'
import { factsOf } from './choice.ts'
import { detailLines } from './details.ts'
import { decodeKeys, endsOpen } from './key.ts'
import { createLiveLine } from './live-line.ts'
import { maskView } from './mask-view.ts'
import { pagesOf } from './pages.ts'
import { actionWords, helpLines, promptLine } from './prompt-line.ts'
import { armsAt, openPromptState, type PromptEffect, type PromptInput, type Stage, stepPrompt } from './prompt-state.ts'
import { createRows } from './rows.ts'
import type { Terminal } from './terminal.ts'

/** What a prompt needs around it. */
export interface PromptWorld {
  readonly terminal: Terminal
  readonly clock: Clock
  /** Hands the decision in. A receipt that says `held` means that it did not count, and the person may try again. */
  decide(decision: Decision): Promise<Receipt>
  /** Ctrl-C, or the terminal went away. */
  withdraw(): void
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

/** How long half an escape sequence is waited for. */
const SEQUENCE_MS = 40

/** Draws a held call and lets the person at the terminal decide it. Thin: what keys mean is `prompt-state.ts`. */
export function openPrompt(opened: OpenedView, world: PromptWorld, start: PromptStart = {}): Prompt {
  const { terminal, clock } = world
  const paint = createPaint(terminal.color)
  const look = { columns: terminal.columns, paint }
  const masked = maskView(opened)
  const drawn = drawCard(masked.opened, look)
  const card = pagesOf(drawn.lines)
  const details = pagesOf(detailLines(masked.opened, look))
  const pages = [...card, ...details]
  const facts = factsOf(opened, { card: card.length, details: details.length, folded: drawn.folded }, masked.secrets)
  const expires = clock.monotonic() + (opened.body.expiresAt - clock.now())
  const live = createLiveLine(terminal, paint)
  let open = true
  let pending = ''
  let cancelSequence = (): void => {}
  let cancelWake = (): void => {}

  let state = openPromptState(facts, clock.monotonic(), start.stage)
  if (start.printed === true) state = { ...state, read: facts.allPages }
  else print(card[0] ?? [])
  printActions()
  const stop = terminal.listen(hear, () => {
    if (open) world.withdraw()
  })
  draw()

  function hear(chunk: string): void {
    cancelSequence()
    pending += chunk
    if (endsOpen(pending)) cancelSequence = clock.after(SEQUENCE_MS, flush)
    else flush()
  }

  function flush(): void {
    const keys = decodeKeys(pending)
    pending = ''
    if (keys.length > 0) take({ kind: 'keys', keys, at: clock.monotonic() })
  }

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
        world.decide(effect.decision).then(
          (receipt) => {
            if (!receipt.accepted && receipt.state === 'held')
              take({ kind: 'refused', message: receipt.message, at: clock.monotonic() })
          },
          (error: unknown) =>
            take({
              kind: 'refused',
              message: error instanceof Error ? error.message : String(error),
              at: clock.monotonic(),
            }),
        )
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
        say(['', 'stop asking for', ...facts.grants.map(({ words }, at) => `${at + 1}  ${words}`)])
        return
      case 'grant':
        say([`this call, and then without asking: ${effect.choice.words}`], 'bold')
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

  function printActions(): void {
    const rows = createRows(terminal.columns, paint)
    rows.gap()
    if (state.read < card.length)
      rows.text(safeText(`page ${state.read} of ${card.length}; press d for the next`), { styles: ['yellow'] })
    rows.items(actionWords(facts), ['cyan'])
    print(rows.lines)
  }

  /** Draws the line again, and wakes when it will next read differently. */
  function draw(): void {
    if (!open) return
    const now = clock.monotonic()
    const left = expires - now
    live.show(promptLine(state, left))
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
      cancelSequence()
      stop()
      live.end(line)
    },
  }
}
