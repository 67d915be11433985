import { createCipheriv, createDecipheriv, createHmac, hash, type KeyObject, randomBytes, verify } from 'node:crypto'
import { CountersignError, type Crypto } from '@countersign/core'
import { publicKeyObject } from './ed25519.ts'
import type { Home } from './home.ts'
import { decodeBase64 } from './key-file.ts'
import { openRedactionKey, openSealKey, type SecretKey } from './keys.ts'

const MAX_CACHED_KEYS = 256
const FORMAT = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const ID_BYTES = 16
const IDS_DRAWN_AT_ONCE = 256

/** Hashes, signatures and sealing by Node's own crypto, with the keys of one home. */
export function openCrypto(home: Home): Crypto {
  const sealKey = openSealKey(home)
  const redaction = openRedactionKey(home).bytes
  const publicKeys = new Map<string, KeyObject | undefined>()
  return Object.freeze({
    sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex'),
    sha256Bytes: (data: Uint8Array) => hash('sha256', data, 'buffer'),
    keyedHash: (text: string) => createHmac('sha256', redaction).update(text, 'utf8').digest('hex'),
    randomId: randomIds(),
    verify: (publicKey: string, message: string, signature: string) => {
      const key = cachedKey(publicKeys, publicKey)
      const bytes = decodeBase64(signature, 64)
      return key !== undefined && bytes !== undefined && verify(null, Buffer.from(message, 'utf8'), key, bytes)
    },
    seal: (plain: string) => seal(sealKey, plain),
    unseal: (sealed: Uint8Array) => unseal(sealKey, sealed),
  })
}

/** Sixteen random bytes cost the system as much as thousands, so they are drawn in stock. No byte is given out twice. */
function randomIds(): () => string {
  let stock = Buffer.alloc(0)
  let at = 0
  return () => {
    if (at === stock.length) {
      stock = randomBytes(ID_BYTES * IDS_DRAWN_AT_ONCE)
      at = 0
    }
    at += ID_BYTES
    return stock.toString('hex', at - ID_BYTES, at)
  }
}

/** Undefined for what is no key: then nothing verifies under it. */
function cachedKey(cache: Map<string, KeyObject | undefined>, publicKey: string): KeyObject | undefined {
  if (cache.has(publicKey)) return cache.get(publicKey)
  const raw = decodeBase64(publicKey, 32)
  const key = raw === undefined ? undefined : publicKeyObject(raw)
  if (cache.size >= MAX_CACHED_KEYS) cache.clear()
  cache.set(publicKey, key)
  return key
}

/** Format byte, key id, nonce, tag, ciphertext; the first two are authenticated with the rest. */
function seal(key: SecretKey, plain: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const header = headerOf(key)
  const cipher = createCipheriv('aes-256-gcm', key.bytes, nonce).setAAD(header)
  const box = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  return Buffer.concat([header, nonce, cipher.getAuthTag(), box])
}

function unseal(key: SecretKey, sealed: Uint8Array): string {
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.byteLength)
  const header = headerOf(key)
  const nonceAt = header.length
  const tagAt = nonceAt + NONCE_BYTES
  const boxAt = tagAt + TAG_BYTES
  if (bytes.length < boxAt || !bytes.subarray(0, nonceAt).equals(header))
    throw new CountersignError('CS_STORE_SEAL', 'a held call was sealed by another home; use the home that holds it')
  try {
    const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(nonceAt, tagAt))
    decipher.setAAD(header).setAuthTag(bytes.subarray(tagAt, boxAt))
    return Buffer.concat([decipher.update(bytes.subarray(boxAt)), decipher.final()]).toString('utf8')
  } catch (error) {
    throw new CountersignError('CS_STORE_SEAL', 'a held call was changed in the store; reject it and ask again', {
      cause: error,
    })
  }
}

function headerOf(key: SecretKey): Buffer {
  return Buffer.concat([Buffer.of(FORMAT), Buffer.from(key.id, 'hex')])
}
