/** Keeps signed checkpoints outside the store, so that truncation and roll-back of the store show. */
export interface Heads {
  keep(note: string): Promise<void>
  kept(): Promise<readonly string[]>
}
