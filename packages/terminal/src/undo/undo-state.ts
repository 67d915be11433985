import type { Key } from '../card/keys/key.ts'

/** The list of calls to undo: where the person is, and what is marked. */
export interface UndoListState {
  readonly at: number
  readonly marked: ReadonlySet<number>
  /** The first row of the diff in its window. */
  readonly top: number
}

/** What a key leads to. */
export type UndoListStep =
  | { readonly kind: 'stay'; readonly state: UndoListState }
  | { readonly kind: 'pick'; readonly picked: readonly number[] }
  | { readonly kind: 'leave' }

export const START: UndoListState = { at: 0, marked: new Set(), top: 0 }

/** The calls that would be undone: those that are marked, or the one at the cursor. */
export function pickedIn({ at, marked }: UndoListState): readonly number[] {
  return marked.size === 0 ? [at] : [...marked].toSorted((a, b) => a - b)
}

/** Moves the list by one key. Pure. `page` is the height of the diff's window. */
export function stepUndoList(state: UndoListState, key: Key, count: number, page: number): UndoListStep {
  if (key.kind === 'escape' || key.kind === 'interrupt') return { kind: 'leave' }
  if (key.kind === 'enter') return { kind: 'pick', picked: pickedIn(state) }
  const letter = key.kind === 'text' ? key.text : ''
  if (letter === 'q') return { kind: 'leave' }
  const to = (at: number): UndoListStep => ({
    kind: 'stay',
    state: { ...state, at: Math.max(0, Math.min(count - 1, at)), top: 0 },
  })
  if (letter === 'j' || (key.kind === 'next' && key.arrow === 'down')) return to(state.at + 1)
  if (letter === 'k' || (key.kind === 'next' && key.arrow === 'up')) return to(state.at - 1)
  if (letter === ' ') return { kind: 'stay', state: { ...state, marked: toggled(state.marked, state.at), top: 0 } }
  // Everything since the call at the cursor: it and all that came after it.
  if (letter === 's') return { kind: 'stay', state: { ...state, marked: upTo(state.at), top: 0 } }
  if (letter === 'd' || (key.kind === 'other' && key.name === 'page-down'))
    return { kind: 'stay', state: { ...state, top: state.top + page } }
  if (letter === 'u' || (key.kind === 'other' && key.name === 'page-up'))
    return { kind: 'stay', state: { ...state, top: Math.max(0, state.top - page) } }
  return { kind: 'stay', state }
}

function toggled(marked: ReadonlySet<number>, at: number): ReadonlySet<number> {
  const next = new Set(marked)
  if (!next.delete(at)) next.add(at)
  return next
}

function upTo(at: number): ReadonlySet<number> {
  return new Set(Array.from({ length: at + 1 }, (_, one) => one))
}
