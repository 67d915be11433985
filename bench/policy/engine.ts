/** One policy engine under measurement, loaded with a workload. */
export interface Engine {
  readonly name: string
  /** Judges call `at`; gives the id of the rule that decided, null where none did. */
  decide(at: number): string | null | Promise<string | null>
  readonly asynchronous?: boolean
}
