/** Hashes, randomness, signatures and sealing. Synchronous, so that nothing can change while a digest is made. */
export interface Crypto {
  /** SHA-256 in lower-case hex; text is hashed as UTF-8. */
  sha256(data: string | Uint8Array): string
  /** SHA-256 as bytes, for the Merkle tree. */
  sha256Bytes(data: Uint8Array): Uint8Array
  /** HMAC-SHA-256 in hex under the home's redaction key: equal values can be recognised, and none leaks. */
  keyedHash(text: string): string
  /** An unguessable identifier: 128 random bits in lower-case hex. */
  randomId(): string
  /** Whether `signature` (base64) over `message` was made by the holder of `publicKey` (base64, raw Ed25519). */
  verify(publicKey: string, message: string, signature: string): boolean
  /** Encrypts and authenticates text for the store. */
  seal(plain: string): Uint8Array
  /** Decrypts sealed text; throws CS_STORE_SEAL when it was changed or belongs to another home. */
  unseal(sealed: Uint8Array): string
}

/** A private Ed25519 key: it can sign, and cannot be read. */
export interface Signer {
  readonly keyId: string
  readonly publicKey: string
  /** Signs UTF-8 text; base64. */
  sign(message: string): string
}
