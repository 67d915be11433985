import type { Key } from '../../card/keys/key.ts'

/** A character, or a paste that stays in one piece. */
export type Cell = string | { readonly pasted: string }

/** The message being written, and the cursor. */
export interface ComposerState {
  readonly cells: readonly Cell[]
  readonly cursor: number
  /** Sent messages, newest last. */
  readonly history: readonly (readonly Cell[])[]
  /** Index of the recalled message; null while writing a new one. */
  readonly recalled: number | null
}

export const EMPTY_COMPOSER: ComposerState = { cells: [], cursor: 0, history: [], recalled: null }

export interface ComposerStep {
  readonly state: ComposerState
  /** The sent text, with full pastes; null if nothing was sent. */
  readonly sent: string | null
}

/** A longer paste, or one with line breaks, is shown as a chip. */
const CHIP_CHARACTERS = 200
const HISTORY_KEPT = 100
/** INVARIANT: L10 bound for typed text; pastes are bounded by the key reader. */
const MOST_CELLS = 20_000
/** More keys in one chunk count as a paste, on terminals without paste brackets. */
const PASTED_AT_ONCE = 200

/** The text of the cells, with full pastes. */
export function textOf(cells: readonly Cell[]): string {
  return cells.map((cell) => (typeof cell === 'string' ? cell : cell.pasted)).join('')
}

/** Applies the keys of one chunk. Enter sends the message if `canSend`. */
export function stepComposer(before: ComposerState, keys: readonly Key[], canSend: boolean): ComposerStep {
  const unbracketed = asPaste(keys)
  if (unbracketed !== null) return still(insert(before, pastedCells(unbracketed)))
  let state = before
  for (const [at, key] of keys.entries()) {
    if (key.kind === 'enter' && !isNewline(state, keys, at)) {
      if (!canSend) continue
      const text = textOf(state.cells)
      // Ignore keys after Enter in the same chunk.
      if (text.trim() !== '') return { state: sentState(state), sent: text }
      continue
    }
    state = press(state, key)
  }
  return still(state)
}

function press(state: ComposerState, key: Key): ComposerState {
  switch (key.kind) {
    case 'text':
      return insert(state, [key.text])
    case 'paste':
      return insert(state, pastedCells(key.text))
    case 'enter': {
      const { cells, cursor } = state
      const kept = cells[cursor - 1] === '\\' ? erase(state) : state
      return insert(kept, ['\n'])
    }
    case 'backspace':
      return erase(state)
    case 'clear':
      return { ...state, cells: state.cells.slice(state.cursor), cursor: 0, recalled: null }
    case 'next':
      return key.arrow === undefined ? state : move(state, key.arrow)
    case 'other':
      if (key.name === 'home') return { ...state, cursor: 0 }
      return key.name === 'end' ? { ...state, cursor: state.cells.length } : state
    case 'escape':
    case 'interrupt':
      return state
  }
}

/** Whether Enter adds a line break: after `\`, or with Alt, which arrives as Esc and Enter in one chunk. */
function isNewline({ cells, cursor }: ComposerState, keys: readonly Key[], at: number): boolean {
  return keys[at - 1]?.kind === 'escape' || cells[cursor - 1] === '\\'
}

function move(state: ComposerState, arrow: 'up' | 'down' | 'left' | 'right'): ComposerState {
  const { cells, cursor } = state
  if (arrow === 'left') return { ...state, cursor: Math.max(0, cursor - 1) }
  if (arrow === 'right') return { ...state, cursor: Math.min(cells.length, cursor + 1) }
  return recall(state, arrow === 'up' ? -1 : 1)
}

/** Up and down recall sent messages. */
function recall(state: ComposerState, by: 1 | -1): ComposerState {
  const { history, recalled, cells } = state
  if (recalled === null && (by === 1 || cells.length > 0)) return state
  const at = (recalled ?? history.length) + by
  const found = history[at]
  if (at < 0) return state
  return found === undefined
    ? { ...state, cells: [], cursor: 0, recalled: null }
    : { ...state, cells: found, cursor: found.length, recalled: at }
}

function insert(state: ComposerState, more: readonly Cell[]): ComposerState {
  const { cells, cursor } = state
  if (cells.length + more.length > MOST_CELLS) return state
  return { ...state, cells: cells.toSpliced(cursor, 0, ...more), cursor: cursor + more.length, recalled: null }
}

function erase(state: ComposerState): ComposerState {
  const { cells, cursor } = state
  if (cursor === 0) return state
  return { ...state, cells: cells.toSpliced(cursor - 1, 1), cursor: cursor - 1, recalled: null }
}

function pastedCells(text: string): readonly Cell[] {
  const clean = text.toWellFormed().replace(/\r\n?/g, '\n')
  if (clean === '') return []
  const isShort = clean.length <= CHIP_CHARACTERS && !clean.includes('\n')
  return isShort ? Array.from(clean) : [{ pasted: clean }]
}

/** Pasted text without paste brackets: many keys in one chunk, or an Enter in the middle. */
function asPaste(keys: readonly Key[]): string | null {
  if (keys.some(({ kind }) => kind !== 'text' && kind !== 'enter')) return null
  const hasInner = keys.slice(0, -1).some(({ kind }) => kind === 'enter')
  if (!hasInner && keys.length < PASTED_AT_ONCE) return null
  return keys.map((key) => (key.kind === 'text' ? key.text : '\n')).join('')
}

function sentState({ cells, history }: ComposerState): ComposerState {
  return { cells: [], cursor: 0, history: [...history, cells].slice(-HISTORY_KEPT), recalled: null }
}

function still(state: ComposerState): ComposerStep {
  return { state, sent: null }
}
