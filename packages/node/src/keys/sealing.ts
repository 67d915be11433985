import { createCipheriv, createDecipheriv, createSecretKey } from 'node:crypto'
import { CountersignError, type Crypto } from '@countersign/core'
import type { SecretKey } from './home-keys.ts'

const FORMAT = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Sealing under one key: format byte, key id, nonce, tag, ciphertext; the first two are authenticated with the rest.
 * The key is made ready once: Node takes longer to look at raw bytes than to encrypt a call.
 */
export function openSealing(key: SecretKey, draw: (count: number) => Buffer): Pick<Crypto, 'seal' | 'unseal'> {
  const secret = createSecretKey(key.bytes)
  const header = Buffer.concat([Buffer.of(FORMAT), Buffer.from(key.id, 'hex')])
  const nonceAt = header.length
  const tagAt = nonceAt + NONCE_BYTES
  const boxAt = tagAt + TAG_BYTES

  return {
    seal(plain) {
      const nonce = draw(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', secret, nonce).setAAD(header)
      const box = cipher.update(Buffer.from(plain, 'utf8'))
      const end = cipher.final()
      return Buffer.concat([header, nonce, cipher.getAuthTag(), box, end])
    },
    unseal(sealed) {
      const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
      if (bytes.length < boxAt || !bytes.subarray(0, nonceAt).equals(header))
        throw new CountersignError(
          'CS_STORE_SEAL',
          'a held call was sealed by another home; use the home that holds it',
        )
      try {
        const decipher = createDecipheriv('aes-256-gcm', secret, bytes.subarray(nonceAt, tagAt))
        decipher.setAAD(header).setAuthTag(bytes.subarray(tagAt, boxAt))
        return Buffer.concat([decipher.update(bytes.subarray(boxAt)), decipher.final()]).toString('utf8')
      } catch (error) {
        throw new CountersignError('CS_STORE_SEAL', 'a held call was changed in the store; reject it and ask again', {
          cause: error,
        })
      }
    },
  }
}
