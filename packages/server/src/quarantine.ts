import type { AcceptanceClaim, Approver, Json } from '@countersign/core'

/** A tool of an MCP server that waits for a person. All texts are the server's: surfaces make them safe. */
interface WaitingTool {
  readonly label: string
  /** Which server stands behind the label: by hash, and for reading. */
  readonly server: { readonly hash: string; readonly shown: string }
  readonly name: string
  /** The hash of the definition that waits. */
  readonly hash: string
  readonly why: string
  readonly since: number
  /** What was accepted under this name; null when all of it is new. */
  readonly accepted: Json | null
  readonly definition: Json
  /** Characters that hide or pose as others, and where. */
  readonly odd: readonly { readonly where: string; readonly what: string; readonly count: number }[]
}

/**
 * The port to the tools in quarantine. The service shows them and passes on what was signed elsewhere; like with
 * decisions, it can make no signature, and whoever reads the pins verifies each again.
 */
export interface Quarantine {
  /** What waits, bounded; `more` counts what was left out. */
  list(): {
    readonly waiting: readonly WaitingTool[]
    readonly more: number
    /** Labels of which nothing that was accepted can be read. */
    readonly broken: readonly { readonly label: string; readonly why: string }[]
  }
  /**
   * Accepts what waits when an enrolled key signed for exactly that. `record` is called once that is sure, and before
   * anything is written. Throws CS_DECISION_FORGED or CS_STALE; then nothing has changed.
   */
  accept(
    signed: AcceptanceClaim & { readonly signature: string },
    record: (by: Approver) => Promise<void>,
  ): Promise<void>
}
