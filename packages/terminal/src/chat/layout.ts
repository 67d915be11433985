/** Heights of the parts of the chat screen. */
export interface ChatRoom {
  readonly card: number
  /** Running calls and unfinished text. */
  readonly live: number
  readonly composer: number
  readonly status: number
  /** A separator above the message. */
  readonly rule: number
}

/** The current parts of the chat screen. */
export interface ChatParts {
  readonly rows: number
  readonly isCard: boolean
  readonly held: number
  readonly isFull: boolean
  /** Rows of the message being written. */
  readonly written: number
}

/** Minimum height of a card: its choices and part of the call. */
const LEAST_CARD = 8

/**
 * Divides the live area of the screen. INVARIANT: it is shorter than the screen, so that nothing is drawn twice and the
 * rows above stay. Priority: card, message, running calls.
 */
export function layChat({ rows, isCard, held, isFull, written }: ChatParts): ChatRoom {
  const all = Math.max(4, rows - 1)
  if (isCard) {
    const bar = held > 1 ? 1 : 0
    if (isFull) return { card: all - bar, live: 0, composer: 0, status: 0, rule: 0 }
    const composer = all - bar >= LEAST_CARD + 2 ? 1 : 0
    const status = all >= 20 ? 1 : 0
    const live = all >= 34 ? 4 : all >= 22 ? 2 : 0
    return { card: Math.max(3, all - bar - composer - status - live), live, composer, status, rule: 0 }
  }
  const status = all >= 6 ? 1 : 0
  const rule = all >= 14 ? 1 : 0
  const composer = Math.max(1, Math.min(written, Math.floor(all / 3)))
  return { card: 0, live: Math.max(0, all - status - rule - composer), composer, status, rule }
}
