/** Heights of the parts of the queue screen. */
export interface QueueRoom {
  readonly card: number
  readonly list: number
  readonly receipts: number
}

/** Minimum height of a card: its choices and part of the call. */
const LEAST_CARD = 8

/**
 * Divides the screen. INVARIANT: the parts are shorter than the screen, so that nothing scrolls away or is drawn twice.
 * Priority: card, newest receipts, list.
 */
export function layQueue(rows: number, held: number, receipts: number, problem: boolean, full: boolean): QueueRoom {
  // A single call needs no bar.
  const bar = held === 1 ? 0 : 1
  const room = Math.max(3, rows - 1 - bar - (problem ? 1 : 0))
  if (held === 0) return { card: 0, list: 0, receipts: Math.max(0, room - 2) }
  if (full) return { card: room, list: 0, receipts: 0 }
  const wanted = room >= 34 ? 6 : room >= 20 ? 3 : room >= 11 ? 1 : 0
  const shown = Math.min(receipts, wanted, Math.max(0, room - LEAST_CARD))
  const others = held < 2 ? 0 : room >= 34 ? 8 : room >= 28 ? 4 : 0
  const list = Math.min(held, others)
  return { card: room - shown - list, list, receipts: shown }
}
