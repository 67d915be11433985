/** A policy engine loaded with a workload. */
export interface Engine {
  readonly name: string
  /** Judges call `at`; returns the id of the deciding rule, or null. */
  decide(at: number): string | null | Promise<string | null>
  readonly asynchronous?: boolean
}
