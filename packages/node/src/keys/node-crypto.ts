import { createHmac, createSecretKey, hash, type KeyObject, verify } from 'node:crypto'
import type { Crypto } from '@countersign/core'
import type { Home } from '../home/home.ts'
import { publicKeyObject } from './ed25519.ts'
import { openRedactionKey, openSealKey } from './home-keys.ts'
import { decodeBase64 } from './key-file.ts'
import { randomStock } from './random-pool.ts'
import { openSealing } from './sealing.ts'

const MAX_CACHED_KEYS = 256
const ID_BYTES = 16

/** Hashes, signatures and sealing by Node's own crypto, with the keys of one home. */
export function openCrypto(home: Home): Crypto {
  const draw = randomStock()
  const redaction = createSecretKey(openRedactionKey(home).bytes)
  const publicKeys = new Map<string, KeyObject | undefined>()
  return Object.freeze({
    sha256: (data: string | Uint8Array) => hash('sha256', data, 'hex'),
    sha256Bytes: (data: Uint8Array) => hash('sha256', data, 'buffer'),
    keyedHash: (text: string) => createHmac('sha256', redaction).update(text, 'utf8').digest('hex'),
    randomId: () => draw(ID_BYTES).toString('hex'),
    verify: (publicKey: string, message: string, signature: string) => {
      const key = cachedKey(publicKeys, publicKey)
      const bytes = decodeBase64(signature, 64)
      return key !== undefined && bytes !== undefined && verify(null, Buffer.from(message, 'utf8'), key, bytes)
    },
    ...openSealing(openSealKey(home), draw),
  })
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
