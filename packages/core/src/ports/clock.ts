/** Time and timers. Core never reads a clock or sets a timer by itself. */
export interface Clock {
  /** Wall-clock milliseconds since 1970: for display, expiry and hours. It may jump. */
  now(): number
  /** Milliseconds that never go back: for the deadlines of a live process. */
  monotonic(): number
  /** Calls `wake` once after `ms` milliseconds; the returned function cancels it. */
  after(ms: number, wake: () => void): () => void
  /** Resolves once the other callers had their turn. Only in a process that serves several callers: see `createTurns`. */
  turn?(caller: string | null): Promise<void>
  /** Time that a test controls: it is not compared with the clock of a shared store. */
  readonly isSimulated?: true
}
