import { canonicalJson } from '../../call/json/canonical.ts'

/** A person's word that a tool of a server may be asked for with exactly one definition; without its signature. */
export interface AcceptanceClaim {
  /** What policies call the server. */
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
 * The bytes an approver signs to accept the definition of a server's tool, on any surface.
 *
 * @example
 * signer.sign(acceptanceMessage({ label: 'github', server, name: 'create_issue', hash, approver: signer.keyId, at }))
 */
export function acceptanceMessage({ label, server, name, hash, approver, at }: AcceptanceClaim): string {
  return `countersign/mcp-accept/v1\n${canonicalJson({ approver, at, hash, label, name, server })}`
}
