import type { Json } from '../../call/json/json.ts'
import type { Approver } from '../../ports/approvers.ts'
import type { AcceptanceClaim } from '../decision/definition-acceptance.ts'

/** A tool of an MCP server that waits for a person, with everything to judge it by. All texts are the server's. */
export interface WaitingDefinition {
  readonly label: string
  /** Which server stands behind the label: by hash, and for reading. */
  readonly server: { readonly hash: string; readonly shown: string }
  readonly name: string
  /** The hash of the definition that waits. */
  readonly hash: string
  readonly why: string
  readonly since: number
  /** What a person accepted under this name; null when all of it is new to people. */
  readonly accepted: Json | null
  readonly definition: Json
  /** Characters that hide or pose as others, and where. */
  readonly odd: readonly { readonly where: string; readonly what: string; readonly count: number }[]
}

/** What waits under all labels, as much as is shown at once. */
export interface QuarantineView {
  readonly waiting: readonly WaitingDefinition[]
  /** How many more wait than are shown. */
  readonly more: number
  /** Whose they are. */
  readonly left: readonly { readonly label: string; readonly count: number }[]
  /** Labels of which nothing that was accepted can be read: every tool of them is in quarantine. */
  readonly broken: readonly { readonly label: string; readonly why: string }[]
}

/**
 * The port to the tools in quarantine. A service shows them and passes on what was signed elsewhere; like with decisions,
 * it can make no signature, and whoever reads the pins verifies each again.
 */
export interface Quarantine {
  /** What waits, bounded. */
  list(): QuarantineView
  /**
   * Accepts what waits when an enrolled key signed for exactly that. `record` is called once that is sure, and before
   * anything is written. Throws CS_DECISION_FORGED or CS_STALE; then nothing has changed.
   */
  accept(
    signed: AcceptanceClaim & { readonly signature: string },
    record: (by: Approver) => Promise<void>,
  ): Promise<void>
}
