/**
 * Small things that services on one store keep there together, each for a while: who is signed in, which one-time links were
 * used. Time is the store's own.
 */
export interface SharedRows {
  /** The value under a key; undefined when it has none, or its time is over. */
  get(key: string): Promise<string | undefined>
  /** Adds a value for so many milliseconds. False if the key has one already. */
  add(key: string, value: string, livesMs: number): Promise<boolean>
  /** Adds or replaces a value. */
  set(key: string, value: string, livesMs: number): Promise<void>
  /** Removes a value and returns it: of several who take it, one gets it. */
  take(key: string): Promise<string | undefined>
  /** The values of keys that begin so, by key. */
  list(prefix: string): Promise<ReadonlyMap<string, string>>
  /** Removes everything: nobody is signed in any more, and every secret is made again. */
  clear(): Promise<void>
}
