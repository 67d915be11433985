/** How a call ended. All distinct; `refused` is the gate's own no (bad arguments, full queue, failing store). */
export const OUTCOMES = [
  'completed',
  'failed',
  'denied',
  'rejected',
  'expired',
  'withdrawn',
  'stale',
  'released',
  'refused',
  'unknown',
] as const

/** One of `OUTCOMES`. */
export type Outcome = (typeof OUTCOMES)[number]
