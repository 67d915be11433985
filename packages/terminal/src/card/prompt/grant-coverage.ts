import type { WouldMatch } from '@countersign/core'

/** What a grant would have covered; null while it is looked for. */
export type Past = WouldMatch | 'unknown' | null

/** What the grant would have covered, from the journal; it informs, and decides nothing. */
export function pastWords(past: Past): string {
  if (past === null) return 'looking at what it would have covered …'
  if (past === 'unknown') return 'what it would have covered is not known'
  const high = past.high === 0 ? '' : `, ${past.high} of them of high risk, about which you would still be asked`
  return `it would have matched ${past.matched} of the last ${past.of} calls${high}`
}
