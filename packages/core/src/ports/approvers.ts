import type { MaybePromise } from './maybe-promise.ts'

/** Someone who may decide, identified by a public key. Kept beside the keys, never in the store. */
export interface Approver {
  readonly id: string
  readonly name: string
  /** Absent: `ed25519`. */
  readonly kind?: 'ed25519' | 'passkey'
  /** base64: raw Ed25519, or the COSE key of a passkey. */
  readonly publicKey: string
  /** For a passkey: its credential, and the sites whose ceremonies count. */
  readonly passkey?: { readonly credential: string; readonly site: string; readonly origins: readonly string[] }
}

/** Everyone who may decide. */
export interface Approvers {
  find(id: string): MaybePromise<Approver | undefined>
  list(): Promise<readonly Approver[]>
  /**
   * Whether an assertion by this passkey, with its user verified, answers the challenge `sha256` (hex) of a decision’s
   * message. SECURITY: called by the process that holds the call. Without it no passkey counts.
   */
  verifyPasskey?(approver: Approver, sha256: string, assertion: string): Promise<boolean>
}
