import type { Receipt } from './decision.ts'

/**
 * What became of a held call, in words. Who decided is named for what they decided, never for what became of it after: a
 * person who approved has neither denied it by policy nor made its tool fail.
 *
 * @example
 * const words = receiptWords({ state: 'stale', by: 'Ana' }) // approved by Ana, then stale
 */
export function receiptWords({ state, by }: Pick<Receipt, 'state' | 'by'>): string {
  const told = state === 'denied' ? 'denied by policy' : state
  if (by === null) return told
  return isDecision(state) ? `${state} by ${by}` : `approved by ${by}, then ${told}`
}

/** Whether a receipt tells of the decision itself. What ended in another way under somebody's name was approved before. */
function isDecision(state: string): boolean {
  return state === 'approved' || state === 'rejected'
}
