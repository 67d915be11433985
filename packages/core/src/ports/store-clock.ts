/**
 * How this machine's clock and that of a shared store differ. `close`: not enough to matter. `differs`: more than clocks
 * that are set by the network ever do. `too-far`: nothing is held or decided until one of them is corrected.
 */
export interface ClockDifference {
  readonly kind: 'close' | 'differs' | 'too-far'
  /** How far the store's clock is ahead of this machine's, in milliseconds. */
  readonly offsetMs: number
  /** The answer took this long: the offset is known to half of it. */
  readonly roundTripMs: number
  /** How far one of the clocks jumped since the last measurement; 0 if none did. */
  readonly jumpedMs: number
}

/** The clock of a store that several machines share. Deadlines are judged on it. */
export interface StoreClock {
  /** Wall-clock milliseconds of the store, carried on by this machine's monotonic clock. */
  now(): number
  difference(): ClockDifference
  /** Calls `listen` when the kind of difference changes, or a clock jumped. Returns a function that unsubscribes. */
  onChange(listen: (difference: ClockDifference) => void): () => void
}
