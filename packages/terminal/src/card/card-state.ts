import type { Decision, Feedback, JsonObject } from '@countersign/core'
import type { Key } from './keys/key.ts'
import type { PromptFacts } from './prompt/choice.ts'
import type { PromptEffect, PromptInput, PromptState } from './prompt/stage.ts'
import { openPromptState, stepPrompt } from './prompt/state-machine.ts'

/** Optional actions of a card; keys of missing actions do nothing. */
export type CardPower =
  | 'edit'
  | 'copy'
  | 'queue'
  | 'full'
  | 'batch'
  | 'undo'
  | 'quit'
  | 'leave'
  | 'filter'
  | 'rate'
  | 'pause'
  | 'resume'

/** The facts that control a scrolling card. */
export interface CardFacts extends PromptFacts {
  /** Rows of the text, and of the window. */
  readonly rows: number
  readonly window: number
  readonly powers: ReadonlySet<CardPower>
}

/** The page shown in the window. */
export type CardPage = 'card' | 'raw' | 'help'

/** The state of a card: its prompt, and the position in the text. */
export interface CardState {
  readonly prompt: PromptState
  readonly page: CardPage
  /** The first row in the window. */
  readonly top: number
  /** Secrets are shown. */
  readonly revealed: boolean
  /** The details are shown below the card. */
  readonly details: boolean
  /** Edited arguments. */
  readonly edited: JsonObject | null
  /** Every required row has been visible. */
  readonly end: boolean
}

export type CardInput =
  | PromptInput
  /** The arguments were edited. */
  | { readonly kind: 'edited'; readonly args: JsonObject; readonly at: number }
  /** The window or its text changed: how many rows were read before, and where to continue. */
  | { readonly kind: 'laid'; readonly read: number; readonly top: number }
  /** A note for the person. */
  | { readonly kind: 'note'; readonly text: string }

export type CardEffect =
  | PromptEffect
  /** `whole`: all arguments as JSON, also if one is a long text. */
  | { readonly kind: 'edit'; readonly whole?: true }
  | { readonly kind: 'copy' | 'full' | 'batch' | 'undo' | 'quit' | 'leave' | 'filter' | 'pause' }
  | { readonly kind: 'queue'; readonly by: 1 | -1 }
  | { readonly kind: 'rate'; readonly answer: Feedback }

export interface CardStep {
  readonly state: CardState
  readonly effects: readonly CardEffect[]
}

/** The initial state of a card. */
export function openCardState(facts: CardFacts, at: number): CardState {
  const prompt = { ...openPromptState(facts, at), read: 0 }
  return see({ prompt, page: 'card', top: 0, revealed: false, details: false, edited: null, end: false }, facts)
}

/** Moves the card by one input. Pure: time comes in with the input. */
export function stepCard(state: CardState, input: CardInput, facts: CardFacts): CardStep {
  switch (input.kind) {
    case 'edited': {
      const prompt = { ...openPromptState(facts, input.at), read: 0, revealed: state.prompt.revealed }
      return still({ ...state, prompt, page: 'card', top: 0, edited: input.args, end: false })
    }
    case 'laid':
      return still(lay(state, input, facts))
    case 'note':
      return still({ ...state, prompt: { ...state.prompt, note: input.text } })
    case 'keys':
      return state.prompt.stage.kind === 'choose' ? press(state, input, facts) : forward(state, input, facts)
    default:
      return forward(state, input, facts)
  }
}

type Keys = Extract<PromptInput, { kind: 'keys' }>

function press(state: CardState, input: Keys, facts: CardFacts): CardStep {
  const [key] = input.keys
  const armed = stepPrompt(state.prompt, { kind: 'tick', at: input.at }, facts).state
  // Scrolling decides nothing, so it works before the prompt is armed; like every key it delays arming.
  const scrolled = key === undefined || input.keys.length > 1 ? null : scroll(state, key, facts)
  if (!armed.armed || input.keys.length !== 1 || key === undefined || isNoPress(key)) {
    const { state: next, effects } = forward(scrolled ?? state, input, facts)
    return { state: next, effects }
  }
  const ready = { ...state, prompt: { ...armed, note: null } }
  if (scrolled !== null) return still({ ...scrolled, prompt: { ...scrolled.prompt, armed: true, note: null } })
  if (state.page !== 'card') return still(leavePage(ready, key))
  return command(ready, key, facts) ?? forward(ready, input, facts)
}

/** On other pages only Esc and the page's own key work: nobody approves a call that is not shown. */
function leavePage(state: CardState, key: Key): CardState {
  const back = key.kind === 'escape' || isLetter(key, 'x') || isLetter(key, '?') || isLetter(key, 'q')
  if (back) return { ...state, page: 'card', top: 0 }
  return { ...state, prompt: { ...state.prompt, note: 'press Esc to go back to the call' } }
}

const COMMANDS: ReadonlyMap<string, { readonly power: CardPower; readonly effect: CardEffect }> = new Map([
  ['e', { power: 'edit', effect: { kind: 'edit' } }],
  ['c', { power: 'copy', effect: { kind: 'copy' } }],
  ['f', { power: 'full', effect: { kind: 'full' } }],
  ['b', { power: 'batch', effect: { kind: 'batch' } }],
  ['u', { power: 'undo', effect: { kind: 'undo' } }],
  ['/', { power: 'filter', effect: { kind: 'filter' } }],
  ['s', { power: 'pause', effect: { kind: 'pause' } }],
  ['q', { power: 'quit', effect: { kind: 'quit' } }],
  ['w', { power: 'rate', effect: { kind: 'rate', answer: 'worth-asking' } }],
  ['p', { power: 'rate', effect: { kind: 'rate', answer: 'not-worth-asking' } }],
  ['j', { power: 'queue', effect: { kind: 'queue', by: 1 } }],
  ['k', { power: 'queue', effect: { kind: 'queue', by: -1 } }],
])

const EDIT_ALL = { power: 'edit', effect: { kind: 'edit', whole: true } } as const

/** The same key ends a pause; it asks first. */
const RESUME = { power: 'resume', effect: { kind: 'pause' } } as const

function command(state: CardState, key: Key, facts: CardFacts): CardStep | null {
  if (key.kind === 'escape' && facts.powers.has('leave')) return { state, effects: [{ kind: 'leave' }] }
  if (key.kind !== 'text') return null
  const letter = key.text.toLowerCase()
  const found =
    key.text === 'E' ? EDIT_ALL : letter === 's' && facts.powers.has('resume') ? RESUME : COMMANDS.get(letter)
  if (found !== undefined) return { state, effects: facts.powers.has(found.power) ? [found.effect] : [] }
  if (letter === '?') return still({ ...state, page: 'help', top: 0 })
  if (letter === 'x') return still({ ...state, page: 'raw', top: 0 })
  if (letter === 'v' && facts.secrets > 0) return still(reveal(state, facts))
  return null
}

/** Shows or hides the secrets. SECURITY: A14 what they were masked in is read again, from the top. */
function reveal(state: CardState, facts: CardFacts): CardState {
  const next = { ...state, revealed: !state.revealed }
  if (facts.mustReveal !== true || state.prompt.revealed) return next
  return { ...next, top: 0, end: false, prompt: { ...state.prompt, revealed: true, read: 0 } }
}

function scroll(state: CardState, key: Key, facts: CardFacts): CardState | null {
  const last = Math.max(0, facts.rows - facts.window)
  const to = (top: number): CardState => see({ ...state, top: Math.max(0, Math.min(last, top)) }, facts)
  const page = Math.max(1, facts.window - 1)
  if (isLetter(key, 'd') || isLetter(key, ' ') || (key.kind === 'other' && key.name === 'page-down')) {
    if (hasSkipped(state, facts)) return to(state.prompt.read)
    if (isLetter(key, 'd') && state.top >= last && state.page === 'card' && !state.details)
      return { ...state, details: true, top: facts.rows }
    return to(state.top + page)
  }
  if (key.kind === 'other' && key.name === 'page-up') return to(state.top - page)
  if (key.kind === 'other' && key.name === 'home') return to(0)
  if (key.kind === 'other' && key.name === 'end') return to(last)
  if (key.kind !== 'next' || last === 0) return null
  return key.arrow === 'down' ? to(state.top + 1) : key.arrow === 'up' ? to(state.top - 1) : null
}

/** Applies a new layout. A text read to the end stays read; otherwise only the rows visible before count. */
function lay(state: CardState, laid: Extract<CardInput, { kind: 'laid' }>, facts: CardFacts): CardState {
  const prompt = { ...state.prompt, read: state.end ? facts.pages : laid.read }
  const top = Math.max(0, Math.min(state.page === 'card' ? laid.top : state.top, facts.rows - facts.window))
  return see({ ...state, top, prompt }, facts)
}

/** Counts consecutive rows from the top that have been visible. SECURITY: A14 skipped rows are unread. */
function see(state: CardState, facts: CardFacts): CardState {
  if (state.page !== 'card' || state.top > state.prompt.read) return state
  const read = Math.max(state.prompt.read, Math.min(facts.rows, state.top + facts.window))
  const end = state.end || read >= facts.pages
  return read === state.prompt.read && end === state.end ? state : { ...state, end, prompt: { ...state.prompt, read } }
}

/** Whether required rows above the window were skipped; scrolling then returns to the first of them. */
export function hasSkipped({ page, top, prompt }: CardState, facts: CardFacts): boolean {
  return page === 'card' && prompt.read < facts.pages && top > prompt.read
}

function forward(state: CardState, input: PromptInput, facts: CardFacts): CardStep {
  const { state: prompt, effects } = stepPrompt(state.prompt, input, facts)
  return { state: { ...state, prompt }, effects: effects.map((effect) => withEdit(effect, state.edited)) }
}

/** Adds edited arguments to an approval, and drops a grant: it was offered for the original ones. */
function withEdit(effect: PromptEffect, edited: JsonObject | null): PromptEffect {
  if (effect.kind !== 'decide' || edited === null || effect.decision.kind === 'reject') return effect
  const { grant: _, ...rest }: Decision = effect.decision
  return { ...effect, decision: { ...rest, edited } }
}

function still(state: CardState): CardStep {
  return { state, effects: [] }
}

function isNoPress(key: Key): boolean {
  return key.kind === 'interrupt' || key.kind === 'paste'
}

function isLetter(key: Key, letter: string): boolean {
  return key.kind === 'text' && key.text.toLowerCase() === letter
}
