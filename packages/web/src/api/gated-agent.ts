/** A coding agent behind the gate, and whether it was proven. */
export interface GatedAgent {
  readonly host: string
  readonly state: 'proven' | 'failed' | 'updated' | 'never tried' | 'contract only'
  /** When it was tried. */
  readonly at: number | null
  readonly words: string
  /** Failures after which the agent still runs the tool. */
  readonly runsAnyway: readonly string[]
}
