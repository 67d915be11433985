/** How many rows each part of the chat gets. */
export interface ChatRoom {
  readonly card: number
  /** What runs and what is being said. */
  readonly live: number
  readonly composer: number
  readonly status: number
  /** A line between the conversation and what is written. */
  readonly rule: number
}

/** What the chat shows just now. */
export interface ChatParts {
  readonly rows: number
  readonly isCard: boolean
  readonly held: number
  readonly isFull: boolean
  /** Rows the written text would take. */
  readonly written: number
}

/** What a card needs to show its choices and something of the call. */
const LEAST_CARD = 8

/**
 * Shares out the part of the screen that is drawn over. INVARIANT: together it is shorter than the screen, so that
 * nothing is drawn twice and what is above stays; the card comes first, then what is written, then what runs.
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
