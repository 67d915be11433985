/** Hashes, randomness and signatures. Synchronous, so that a digest is never half-made. */
export interface Crypto {
  /** SHA-256 in lower-case hex; text is hashed as UTF-8. */
  sha256(data: string | Uint8Array): string
  /** SHA-256 as bytes, for the Merkle tree. */
  sha256Bytes(data: Uint8Array): Uint8Array
  /** HMAC-SHA-256 in hex under the home's redaction key: equality stays provable, the value does not leak. */
  keyedHash(text: string): string
  /** An unguessable identifier: 128 random bits in lower-case hex. */
  randomId(): string
  /** Whether `signature` (base64) over `message` was made by the holder of `publicKey` (base64, raw Ed25519). */
  verify(publicKey: string, message: string, signature: string): boolean
  /** Encrypts and authenticates text that must not lie open in the store. */
  seal(plain: string): Uint8Array
  /** Opens what `seal` closed; throws CS_STORE_SEAL when it was changed or belongs to another home. */
  unseal(sealed: Uint8Array): string
}

/** A private Ed25519 key that can sign and be named, and nothing else. */
export interface Signer {
  readonly keyId: string
  readonly publicKey: string
  /** Signs UTF-8 text; base64. */
  sign(message: string): string
}
