/** From where on a call counts as large. A person's policy may set others. */
export interface Thresholds {
  /** More records than this at once. */
  readonly records: number
  /** More money than this, in US dollars or about as much of another currency. */
  readonly amount: number
}

export const DEFAULT_THRESHOLDS: Thresholds = { records: 100, amount: 1000 }
