import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Signer } from '@countersign/core'
import { keyIdOf } from './key-file.ts'

/** RFC 8410: the bytes before the 32 bytes of a private key in PKCS #8. */
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The 32 random bytes an Ed25519 key is made from. */
export function newSeed(): Buffer {
  return randomBytes(32)
}

/** The signer of a seed. */
export function signerOf(seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: 'der', type: 'pkcs8' })
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return Object.freeze({
    keyId: keyIdOf(raw),
    publicKey: raw.toString('base64'),
    sign: (message: string) => sign(null, Buffer.from(message, 'utf8'), key).toString('base64'),
  })
}

/** A raw public key as Node wants it. */
export function publicKeyObject(raw: Uint8Array): KeyObject {
  return createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(raw).toString('base64url') },
    format: 'jwk',
  })
}
