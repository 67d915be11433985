import type { FrozenCall } from '../../call/call.ts'

/** The parts of a call that rating a tool needs: of a whole call, or of one nested inside another. */
export type RatedCall = Pick<FrozenCall, 'tool' | 'args' | 'descriptor' | 'annotations' | 'source' | 'cwd'>

/** The bounds above which a call counts as large. A person's policy may set others. */
export interface Thresholds {
  /** Records affected at once. */
  readonly records: number
  /** An amount in US dollars, or about as much in another currency. */
  readonly amount: number
}

export const DEFAULT_THRESHOLDS: Thresholds = { records: 100, amount: 1000 }
