import { safeText } from '@countersign/core'
import { type CardFacts, type CardState, hasSkipped } from '../card/card-state.ts'
import { cutText } from '../card/text/truncate.ts'

/** Never silent about what is out of sight, nor about what was jumped over. */
export function moreText(state: CardState, facts: CardFacts, columns: number): string {
  const { rows, window } = facts
  if (rows <= window) return ''
  const below = rows - Math.min(rows, state.top + window)
  const where = hasSkipped(state, facts)
    ? `▲ read to row ${state.prompt.read} of ${rows}, Space goes on there`
    : below === 0
      ? `end of ${rows} rows, Home for the top`
      : `▼ ${below} of ${rows} rows below, Space reads on`
  return cutText(safeText(where), columns)
}
