import { markOf, type OpenedView, type RiskLevel, type SafeText, safeText } from '@countersign/core'
import type { ChatEvent, ToolState } from './source.ts'

/** One tool call of the conversation. */
export interface ToolRow {
  readonly kind: 'tool'
  readonly callId: string
  /** Its short id; null if the call was not held. */
  readonly mark: string | null
  readonly agent: SafeText | null
  readonly tool: SafeText
  readonly effect: SafeText | null
  readonly risk: RiskLevel | null
  readonly state: ToolState
  readonly requestedAt: number
  readonly heldAt: number | null
  readonly startedAt: number | null
  readonly endedAt: number | null
  readonly decided: Extract<ChatEvent, { kind: 'decided' }> | null
  readonly isNotice: boolean
  /** The command ran in the sandbox. */
  readonly isContained: boolean
  /** What the checkers warned of. */
  readonly warnings: readonly SafeText[]
  readonly isUndoable: boolean
  readonly why: SafeText | null
  readonly reason: SafeText | null
  /** The end of its output; the last line may be incomplete. */
  readonly output: string
}

/** A row of the conversation. */
export type ChatRow =
  | { readonly kind: 'person'; readonly text: string }
  /** A line of an agent's text; `isFirst` in its turn, `isCode` inside a code fence. */
  | {
      readonly kind: 'agent'
      readonly agent: SafeText | null
      readonly text: SafeText
      readonly isFirst: boolean
      readonly isCode: boolean
    }
  | ToolRow
  | { readonly kind: 'note'; readonly lines: readonly SafeText[]; readonly tone: 'plain' | 'warning' }

/** The unfinished line of an agent's text. */
export interface Speech {
  readonly agent: SafeText | null
  readonly line: string
  readonly isFirst: boolean
  readonly isCode: boolean
}

/** A conversation as data. */
export interface ChatState {
  /** Finished rows that are still in memory. */
  readonly done: readonly ChatRow[]
  /** How often printed rows were dropped from memory. */
  readonly forgotten: number
  /** Calls in progress. */
  readonly live: readonly ToolRow[]
  readonly speech: readonly Speech[]
  /** The agent whose text was printed last; another agent gets a label. */
  readonly speaker: SafeText | null
  /** In order of arrival. */
  readonly held: readonly OpenedView[]
  /** The selected held call. */
  readonly selected: string | null
  readonly isWorking: boolean
  readonly tokens: number
}

export const EMPTY_CHAT: ChatState = {
  done: [],
  forgotten: 0,
  live: [],
  speech: [],
  speaker: null,
  held: [],
  selected: null,
  isWorking: false,
  tokens: 0,
}

const OUTPUT_KEPT = 4_000
const PRINTED_KEPT = 1_000
/** Maximum length of a line. INVARIANT: L10. */
const LONGEST_LINE = 4_000
const FENCE = /^\s{0,3}(?:```|~~~)/

/** Applies events to the conversation. */
export function stepChat(state: ChatState, events: readonly ChatEvent[]): ChatState {
  return events.reduce(step, state)
}

/** INVARIANT: L10 drops printed rows from memory once there are many; the terminal keeps them. */
export function forgetPrinted(state: ChatState, count: number): ChatState {
  if (count < PRINTED_KEPT) return state
  return { ...state, done: state.done.slice(count), forgotten: state.forgotten + 1 }
}

/** Selects the next or previous held call, wrapping around. */
export function moveInHeld(state: ChatState, by: 1 | -1): ChatState {
  const at = state.held.findIndex(({ view }) => view.id === state.selected)
  const next = state.held.at((at + by) % Math.max(1, state.held.length))
  return next === undefined ? state : { ...state, selected: next.view.id }
}

function step(state: ChatState, event: ChatEvent): ChatState {
  switch (event.kind) {
    case 'said':
      return add(state, { kind: 'person', text: event.text })
    case 'note':
      return add(state, event)
    case 'working':
      return event.isWorking
        ? { ...state, isWorking: true }
        : { ...state.speech.reduce(endSpeech, state), isWorking: false }
    case 'tokens':
      return { ...state, tokens: state.tokens + event.count }
    case 'text':
      return hear(state, event)
    case 'text-end': {
      const speech = state.speech.find(({ agent }) => agent === event.agent)
      return speech === undefined ? state : endSpeech(state, speech)
    }
    case 'requested':
      return { ...state, live: [...state.live, newRow(event)] }
    case 'held':
      return hold(state, event)
    case 'over':
      return end(state, event)
    case 'decided':
    case 'started':
      // Close the card once the call is decided, however long it runs.
      return changeRow(release(state, event.callId), event)
    default:
      return changeRow(state, event)
  }
}

function changeRow(state: ChatState, event: Change): ChatState {
  return { ...state, live: state.live.map((row) => (row.callId === event.callId ? change(row, event) : row)) }
}

function add(state: ChatState, row: ChatRow): ChatState {
  return { ...state, done: [...state.done, row] }
}

function newRow({ callId, agent, tool, at }: Extract<ChatEvent, { kind: 'requested' }>): ToolRow {
  return {
    kind: 'tool',
    callId,
    mark: null,
    agent,
    tool,
    effect: null,
    risk: null,
    state: 'requested',
    requestedAt: at,
    heldAt: null,
    startedAt: null,
    endedAt: null,
    decided: null,
    isNotice: false,
    isContained: false,
    warnings: [],
    isUndoable: false,
    why: null,
    reason: null,
    output: '',
  }
}

type Change = Extract<ChatEvent, { kind: 'judged' | 'decided' | 'notice' | 'started' | 'output' }>

function change(row: ToolRow, event: Change): ToolRow {
  switch (event.kind) {
    case 'judged':
      return { ...row, risk: event.risk, effect: event.effect ?? row.effect }
    case 'decided':
      return { ...row, decided: event, state: row.state === 'held' ? 'requested' : row.state }
    case 'notice':
      return { ...row, isNotice: true, warnings: event.warnings }
    case 'started':
      return { ...row, state: 'running', startedAt: event.at, isContained: event.isContained }
    case 'output':
      return { ...row, output: `${row.output}${event.text}`.slice(-OUTPUT_KEPT) }
  }
}

/** Adds a held call; one that is held again keeps its place. */
function hold(state: ChatState, { callId, opened, at }: Extract<ChatEvent, { kind: 'held' }>): ChatState {
  const place = state.held.findIndex(({ view }) => view.id === opened.view.id)
  const held = place < 0 ? [...state.held, opened] : state.held.with(place, opened)
  const live = state.live.map(
    (row): ToolRow =>
      row.callId === callId
        ? { ...row, state: 'held', mark: markOf(opened.view), heldAt: row.heldAt ?? at, risk: opened.view.risk.level }
        : row,
  )
  return { ...state, live, held, selected: state.selected ?? opened.view.id }
}

function end(state: ChatState, event: Extract<ChatEvent, { kind: 'over' }>): ChatState {
  const released = release(state, event.callId)
  const row = released.live.find(({ callId }) => callId === event.callId)
  if (row === undefined) return released
  const over: ToolRow = {
    ...row,
    state: event.state,
    endedAt: event.at,
    why: event.why,
    reason: event.reason,
    isUndoable: event.isUndoable,
  }
  return add({ ...released, live: released.live.filter((one) => one !== row) }, over)
}

/** Removes a call from the held ones; if it was selected, the one in its place is selected. */
function release(state: ChatState, callId: string): ChatState {
  const at = state.held.findIndex(({ view }) => view.id === callId)
  if (at < 0) return state
  const held = state.held.toSpliced(at, 1)
  if (state.selected !== callId) return { ...state, held }
  return { ...state, held, selected: (held[at] ?? held[0])?.view.id ?? null }
}

/** Adds finished lines as rows; the unfinished rest is kept. */
function hear(state: ChatState, { agent, text }: Extract<ChatEvent, { kind: 'text' }>): ChatState {
  const before = state.speech.find((one) => one.agent === agent)
  let speech: Speech = before ?? { agent, line: '', isFirst: true, isCode: false }
  const lines = `${speech.line}${text}`.split('\n')
  const rest = lines.pop() ?? ''
  const done: ChatRow[] = []
  let { speaker } = state
  const finish = (line: string): void => {
    const isFence = FENCE.test(line)
    const isFirst = speech.isFirst || speaker !== agent
    const isBlank = line.trim() === '' && isFirst
    if (!isFence && !isBlank) {
      done.push({ kind: 'agent', agent, text: lineText(line), isFirst, isCode: speech.isCode })
      speech = { ...speech, isFirst: false }
      speaker = agent
    }
    if (isFence) speech = { ...speech, isCode: !speech.isCode }
  }
  for (const line of lines) for (const piece of pieces(line)) finish(piece)
  const [last = '', ...over] = pieces(rest).toReversed()
  for (const piece of over.toReversed()) finish(piece)
  speech = { ...speech, line: last }
  const others = state.speech.filter((one) => one !== before)
  return {
    ...state,
    done: done.length === 0 ? state.done : [...state.done, ...done],
    speech: [...others, speech],
    speaker,
  }
}

function endSpeech(state: ChatState, speech: Speech): ChatState {
  const without = { ...state, speech: state.speech.filter(({ agent }) => agent !== speech.agent) }
  if (speech.line.trim() === '' || FENCE.test(speech.line)) return without
  const { agent, line, isCode } = speech
  const isFirst = speech.isFirst || state.speaker !== agent
  return add({ ...without, speaker: agent }, { kind: 'agent', agent, text: lineText(line), isFirst, isCode })
}

function pieces(line: string): readonly string[] {
  if (line.length <= LONGEST_LINE) return [line]
  const parts: string[] = []
  for (let at = 0; at < line.length; at += LONGEST_LINE) parts.push(line.slice(at, at + LONGEST_LINE))
  return parts
}

function lineText(line: string): SafeText {
  return safeText(line.trimEnd().toWellFormed().replaceAll('\t', '    '))
}
