/** A key press. `other` is a key without a meaning here. */
export type Key =
  | { readonly kind: 'text'; readonly text: string }
  /** Pasted text; never a key press. */
  | { readonly kind: 'paste'; readonly text: string }
  /** Switches to the other choice; `arrow` is the direction for scrolling. */
  | { readonly kind: 'next'; readonly arrow?: 'up' | 'down' | 'left' | 'right' }
  | { readonly kind: 'other'; readonly name?: 'page-up' | 'page-down' | 'home' | 'end' }
  | { readonly kind: 'enter' | 'escape' | 'backspace' | 'clear' | 'interrupt' }

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

/** Tab and the arrow keys switch the focus. */
const MOVES = /^\x1b(?:\[|O)([ABCDZ])$/
const ARROWS = { A: 'up', B: 'down', C: 'right', D: 'left' } as const
const PAGING: ReadonlyMap<string, Key> = new Map([
  ['\x1b[5~', { kind: 'other', name: 'page-up' }],
  ['\x1b[6~', { kind: 'other', name: 'page-down' }],
  ...['\x1b[H', '\x1bOH', '\x1b[1~', '\x1b[7~'].map((code): [string, Key] => [code, { kind: 'other', name: 'home' }]),
  ...['\x1b[F', '\x1bOF', '\x1b[4~', '\x1b[8~'].map((code): [string, Key] => [code, { kind: 'other', name: 'end' }]),
])
/** The sequences that a terminal puts around pasted text. */
export const PASTE = '\x1b[200~'
export const PASTED = '\x1b[201~'
const SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|O[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?)|[\s\S]/gu
const CONTROL = /^[\p{C}\p{Zl}\p{Zp}]/u

/** The keys in one chunk of raw terminal input. A chunk that ends inside an escape sequence reads as Esc: see `endsOpen`. */
export function decodeKeys(chunk: string): readonly Key[] {
  const [typed = '', ...pastes] = chunk.split(PASTE)
  return [
    ...decodeTyped(typed),
    ...pastes.flatMap((piece): readonly Key[] => {
      const end = piece.indexOf(PASTED)
      if (end < 0) return [{ kind: 'paste', text: piece }]
      return [{ kind: 'paste', text: piece.slice(0, end) }, ...decodeTyped(piece.slice(end + PASTED.length))]
    }),
  ]
}

function decodeTyped(typed: string): readonly Key[] {
  return Array.from(typed.matchAll(SEQUENCES), ([piece]): Key => {
    const named = NAMED.get(piece) ?? PAGING.get(piece)
    if (named !== undefined) return named
    const move = MOVES.exec(piece)
    if (move !== null) return moveKey(move[1])
    if (piece.startsWith('\x1b') || CONTROL.test(piece)) return { kind: 'other' }
    return { kind: 'text', text: piece }
  })
}

function moveKey(letter: string | undefined): Key {
  const arrow = letter === 'A' || letter === 'B' || letter === 'C' || letter === 'D' ? ARROWS[letter] : undefined
  return arrow === undefined ? { kind: 'next' } : { kind: 'next', arrow }
}

/** Whether an escape sequence may continue in the next chunk: half an arrow key must not count as Esc. */
export function endsOpen(chunk: string): boolean {
  return /\x1b(?:\[[0-?]*|O)?$/.test(chunk)
}
