/** Which process holds a call, and whether it still lives. */
export interface Owners {
  /** This process, named so that a later process with the same number is another. */
  readonly self: string
  /** False only when the owner is certainly gone. */
  isAlive(owner: string): boolean
}
