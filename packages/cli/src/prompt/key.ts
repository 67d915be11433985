/** One key press as the prompt understands it. `other` is a key that means nothing to us. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'enter' | 'escape' | 'backspace' | 'clear' | 'next' | 'interrupt' | 'other' }

const NAMED: ReadonlyMap<string, Key> = new Map([
  ['\r', { kind: 'enter' }],
  ['\n', { kind: 'enter' }],
  ['\x1b', { kind: 'escape' }],
  ['\x7f', { kind: 'backspace' }],
  ['\b', { kind: 'backspace' }],
  ['\x15', { kind: 'clear' }],
  ['\t', { kind: 'next' }],
  ['\x03', { kind: 'interrupt' }],
])

/** Tab and the four arrows move the focus; there are only two places for it. */
const MOVES = /^\x1b(?:\[|O)[ABCDZ]$/
const SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)|[\s\S]/gu
const CONTROL = /^[\p{C}\p{Zl}\p{Zp}]/u

/** The keys in one chunk of raw terminal input. A chunk that ends inside an escape sequence reads as Esc: see `endsOpen`. */
export function decodeKeys(chunk: string): readonly Key[] {
  return Array.from(chunk.matchAll(SEQUENCES), ([piece]): Key => {
    const named = NAMED.get(piece)
    if (named !== undefined) return named
    if (MOVES.test(piece)) return { kind: 'next' }
    if (piece.startsWith('\x1b') || CONTROL.test(piece)) return { kind: 'other' }
    return { kind: 'text', text: piece }
  })
}

/** Whether more of an escape sequence may follow: a slow line can cut an arrow key in two, and half of one is no Esc. */
export function endsOpen(chunk: string): boolean {
  return /\x1b(?:\[[0-?]*|O)?$/.test(chunk)
}
