import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hash,
  type KeyObject,
  randomBytes,
  verify,
} from 'node:crypto'
import { CountersignError, type Crypto, type Verifier } from '@countersign/core'
import type { Home } from '../home/home.ts'
import { publicKeyObject } from './ed25519.ts'
import { openRedactionKey, openSealKey, type SecretKey } from './home-keys.ts'
import { decodeBase64 } from './key-file.ts'

const MAX_CACHED_KEYS = 256
const ID_BYTES = 16

/** Hashes and signature checks, without any key of a home. */
export function openVerifier(): Verifier {
  const publicKeys = new Map<string, KeyObject | undefined>()
  return Object.freeze({
    sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex'),
    verify: (publicKey: string, message: string, signature: string) => {
      const key = cachedKey(publicKeys, publicKey)
      const bytes = decodeBase64(signature, 64)
      return key !== undefined && bytes !== undefined && verify(null, Buffer.from(message, 'utf8'), key, bytes)
    },
  })
}

/** Hashes, signatures and sealing by Node's own crypto, with the keys of one home. */
export function openCrypto(home: Home): Crypto {
  const draw = randomStock()
  const redaction = createSecretKey(openRedactionKey(home).bytes)
  return Object.freeze({
    ...openVerifier(),
    sha256Bytes: (data: Uint8Array) => hash('sha256', data, 'buffer'),
    keyedHash: (text: string) => createHmac('sha256', redaction).update(text, 'utf8').digest('hex'),
    randomId: () => draw(ID_BYTES).toString('hex'),
    ...openSealing(openSealKey(home), draw),
  })
}

/** Undefined for an invalid key: then no signature verifies. */
function cachedKey(cache: Map<string, KeyObject | undefined>, publicKey: string): KeyObject | undefined {
  if (cache.has(publicKey)) return cache.get(publicKey)
  const raw = decodeBase64(publicKey, 32)
  const key = raw === undefined ? undefined : publicKeyObject(raw)
  if (cache.size >= MAX_CACHED_KEYS) cache.clear()
  cache.set(publicKey, key)
  return key
}

const STOCK_BYTES = 4096

/** Random bytes from a stock: a few cost the system as much as thousands. No byte is given out twice. */
export function randomStock(): (count: number) => Buffer {
  let stock = Buffer.alloc(0)
  let at = 0
  return (count) => {
    if (at + count > stock.length) {
      stock = randomBytes(Math.max(STOCK_BYTES, count))
      at = 0
    }
    at += count
    return stock.subarray(at - count, at)
  }
}

const FORMAT = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Sealing under one key: format byte, key id, nonce, tag, ciphertext; the first two are authenticated with the rest.
 * The key object is made once: importing raw bytes takes Node longer than encrypting a call.
 */
function openSealing(key: SecretKey, draw: (count: number) => Buffer): Pick<Crypto, 'seal' | 'unseal'> {
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
