// Real hashes and keys for the tests in this folder. The extension keeps it out of the build.
import { createHmac, createPublicKey, generateKeyPairSync, hash, type KeyObject, sign, verify } from 'node:crypto'
import type { Crypto, Signer } from '../ports/crypto.ts'

const SPKI = Buffer.from('302a300506032b6570032100', 'hex')

/** Crypto on node:crypto, with a fixed redaction key and no sealing. */
export const crypto: Crypto = {
  sha256: (data) => hash('sha256', data, 'hex'),
  sha256Bytes: (data) => new Uint8Array(hash('sha256', data, 'buffer')),
  keyedHash: (text) => createHmac('sha256', 'fixture').update(text).digest('hex'),
  randomId: () => 'f'.repeat(32),
  verify(publicKey, message, signature) {
    const key = createPublicKey({
      key: Buffer.concat([SPKI, Buffer.from(publicKey, 'base64')]),
      format: 'der',
      type: 'spki',
    })
    return verify(null, Buffer.from(message), key, Buffer.from(signature, 'base64'))
  },
  seal: (plain) => new TextEncoder().encode(plain),
  unseal: (sealed) => new TextDecoder().decode(sealed),
}

/** A new signing key. */
export function makeSigner(keyId = 'gate'): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  return {
    keyId,
    publicKey: rawKey(publicKey),
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64'),
  }
}

function rawKey(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(SPKI.length).toString('base64')
}
