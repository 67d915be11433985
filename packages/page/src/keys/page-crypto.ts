import { CountersignError, type Crypto, type Signer } from '@countersign/core'
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'
import * as ed25519 from '@noble/ed25519'
import { hmac } from '@noble/hashes/hmac.js'
import { sha256, sha512 } from '@noble/hashes/sha2.js'
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js'

ed25519.hashes.sha512 = sha512

/** The secrets of one store: 32 random bytes each. */
export interface PageSecrets {
  /** The seed of the gate's Ed25519 key. */
  readonly gate: Uint8Array
  readonly seal: Uint8Array
  readonly redaction: Uint8Array
}

/** Draws the secrets of a new store. */
export function newSecrets(): PageSecrets {
  return { gate: randomBytes(32), seal: randomBytes(32), redaction: randomBytes(32) }
}

/**
 * The port `crypto` in a page. WebCrypto is asynchronous, and nothing may change while a digest is made, so hashes,
 * signatures and sealing are pure JavaScript.
 */
export function openCrypto({ seal, redaction }: Pick<PageSecrets, 'seal' | 'redaction'>): Crypto {
  return Object.freeze({
    sha256: (data: string | Uint8Array) => bytesToHex(sha256(asBytes(data))),
    sha256Bytes: (data: Uint8Array) => sha256(data),
    keyedHash: (text: string) => bytesToHex(hmac(sha256, redaction, utf8ToBytes(text))),
    randomId: () => bytesToHex(randomBytes(16)),
    verify,
    ...openSealing(seal),
  })
}

/** The key of the gate: it signs checkpoints and grants. */
export function openSigner({ gate }: Pick<PageSecrets, 'gate'>): Signer {
  const raw = ed25519.getPublicKey(gate)
  return Object.freeze({
    keyId: bytesToHex(sha256(raw)).slice(0, 16),
    publicKey: toBase64(raw),
    sign: (message: string) => toBase64(ed25519.sign(utf8ToBytes(message), gate)),
  })
}

function verify(publicKey: string, message: string, signature: string): boolean {
  const [key, bytes] = [fromBase64(publicKey, 32), fromBase64(signature, 64)]
  if (key === undefined || bytes === undefined) return false
  try {
    return ed25519.verify(bytes, utf8ToBytes(message), key, { zip215: false })
  } catch {
    return false
  }
}

const FORMAT = Uint8Array.of(1)
const NONCE_BYTES = 24
const TAG_BYTES = 16

/** XChaCha20-Poly1305 with random nonces: format byte, nonce, box. The format byte is authenticated. */
function openSealing(key: Uint8Array): Pick<Crypto, 'seal' | 'unseal'> {
  return {
    seal(plain) {
      const nonce = randomBytes(NONCE_BYTES)
      return concatBytes(FORMAT, nonce, xchacha20poly1305(key, nonce, FORMAT).encrypt(utf8ToBytes(plain)))
    },
    unseal(sealed) {
      const boxAt = FORMAT.length + NONCE_BYTES
      try {
        if (sealed.length < boxAt + TAG_BYTES || sealed[0] !== FORMAT[0]) throw new Error('it is too short')
        const nonce = sealed.subarray(FORMAT.length, boxAt)
        const plain = xchacha20poly1305(key, nonce, FORMAT).decrypt(sealed.subarray(boxAt))
        return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain)
      } catch (error) {
        throw new CountersignError('CS_STORE_SEAL', 'a held call was changed in the store; reject it and ask again', {
          cause: error,
        })
      }
    },
  }
}

function asBytes(data: string | Uint8Array): Uint8Array {
  return typeof data === 'string' ? utf8ToBytes(data) : data
}

function randomBytes(count: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(count))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Strict base64 of exactly `length` bytes, so that one value has one spelling. */
function fromBase64(text: string, length: number): Uint8Array | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (one) => one.charCodeAt(0))
    return bytes.length === length && toBase64(bytes) === text ? bytes : undefined
  } catch {
    return undefined
  }
}
