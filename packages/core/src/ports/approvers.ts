/** Someone who may decide, known by a public key. Kept beside the keys, never in the store. */
export interface Approver {
  readonly id: string
  readonly name: string
  /** base64, raw Ed25519. */
  readonly publicKey: string
}

/** Everyone who may decide. */
export interface Approvers {
  find(id: string): Promise<Approver | undefined>
  list(): Promise<readonly Approver[]>
}
