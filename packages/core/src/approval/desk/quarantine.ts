import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import type { Approver } from '../../ports/approvers.ts'

/** A tool of an MCP server that waits for a person, with everything needed to judge it. All texts are the server's. */
export interface WaitingDefinition {
  readonly label: string
  /** The server behind the label: its hash, and a readable form. */
  readonly server: { readonly hash: string; readonly shown: string }
  readonly name: string
  /** The hash of the waiting definition. */
  readonly hash: string
  readonly why: string
  readonly since: number
  /** The definition a person accepted under this name; null when there is none. */
  readonly accepted: Json | null
  readonly definition: Json
  /** Invisible or lookalike characters, and where they are. */
  readonly odd: readonly { readonly where: string; readonly what: string; readonly count: number }[]
}

/** The waiting tools of all servers, as many as are shown at once. */
export interface QuarantineView {
  readonly waiting: readonly WaitingDefinition[]
  /** How many more wait than are shown. */
  readonly more: number
  /** Of those not shown, how many belong to each label. */
  readonly left: readonly { readonly label: string; readonly count: number }[]
  /** Labels whose accepted tools cannot be read: all their tools are in quarantine. */
  readonly broken: readonly { readonly label: string; readonly why: string }[]
}

/**
 * The port to the tools in quarantine. A service shows them and passes signed acceptances on; it cannot sign one, and
 * whoever reads the pins verifies each again.
 */
export interface Quarantine {
  list(): QuarantineView
  /**
   * Accepts a waiting tool if an enrolled key signed for exactly that definition. `record` is called after the check and
   * before anything is written. Throws CS_DECISION_FORGED or CS_STALE, and then nothing has changed.
   */
  accept(
    signed: AcceptanceClaim & { readonly signature: string },
    record: (by: Approver) => Promise<void>,
  ): Promise<void>
}

/** What an approver signs to accept one definition of a server's tool. */
export interface AcceptanceClaim {
  /** The server's name in policies. */
  readonly label: string
  /** The hash of the server's identity. */
  readonly server: string
  readonly name: string
  /** The hash of the definition. */
  readonly hash: string
  /** The id of the approver's key. */
  readonly approver: string
  readonly at: number
}

/**
 * The bytes an approver signs to accept a tool's definition, on any surface.
 *
 * @example
 * signer.sign(acceptanceMessage({ label: 'github', server, name: 'create_issue', hash, approver: signer.keyId, at }))
 */
export function acceptanceMessage({ label, server, name, hash, approver, at }: AcceptanceClaim): string {
  return `countersign/mcp-accept/v1\n${canonicalJson({ approver, at, hash, label, name, server })}`
}
