import { fromBase64, toBase64 } from '../../call/base64.ts'
import { CountersignError } from '../../errors.ts'
import type { Crypto, Signer } from '../../ports/crypto.ts'
import { parseCheckpoint, type Verifier } from '../checkpoint.ts'
import { fromHex } from '../hex.ts'

/** C2SP tlog-cosignature: the type of a witness's Ed25519 key. */
const COSIGNATURE_V1 = 4
const HASH_BYTES = 4
const TIME_BYTES = 8

/** The name of a witness's key. */
export function witnessName(signer: Pick<Signer, 'keyId'>): string {
  return `countersign-witness/${signer.keyId}`
}

/** The public key of a witness, as other tools and `journal verify --witness` take it: `name+hash+key`. */
export function witnessKey(signer: Signer, crypto: Pick<Crypto, 'sha256'>): string {
  const name = witnessName(signer)
  const key = rawKey(signer.publicKey)
  return `${name}+${hashOf(name, key, crypto)}+${toBase64(Uint8Array.of(COSIGNATURE_V1, ...key))}`
}

/** Adds a witness's signature to a checkpoint, in the C2SP form cosignature/v1. `at` is in seconds. */
export function cosign(note: string, signer: Signer, at: number, crypto: Pick<Crypto, 'sha256'>): string {
  const checkpoint = parseCheckpoint(note)
  if (checkpoint === undefined)
    throw new CountersignError(
      'CS_JOURNAL_DAMAGED',
      'this is not a checkpoint; sign one with `countersign journal checkpoint`',
    )
  const name = witnessName(signer)
  const signature = fromBase64(signer.sign(signedText(checkpoint.body, at)))
  if (signature?.length !== 64)
    throw new CountersignError('CS_KEY', 'the witness’s key did not make an Ed25519 signature; make a new key')
  const hash = fromHex(hashOf(name, rawKey(signer.publicKey), crypto)) ?? new Uint8Array()
  return `${note}— ${name} ${toBase64(Uint8Array.of(...hash, ...bytesOf(at), ...signature))}\n`
}

/** When a witness with this key cosigned a checkpoint, in seconds; undefined if it did not. */
export function cosignedAt(note: string, key: string, crypto: Verifier): number | undefined {
  const checkpoint = parseCheckpoint(note)
  const [, name, hash, encoded] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(key) ?? []
  const typed = fromBase64(encoded ?? '')
  if (checkpoint === undefined || name === undefined || typed?.length !== 33 || typed[0] !== COSIGNATURE_V1)
    return undefined
  const raw = typed.subarray(1)
  if (hash !== hashOf(name, raw, crypto)) return undefined
  for (const one of checkpoint.signatures) {
    if (one.name !== name || one.keyHash !== hash) continue
    const bytes = fromBase64(one.signature)
    if (bytes?.length !== TIME_BYTES + 64) continue
    const at = bytes.subarray(0, TIME_BYTES).reduce((sum, byte) => sum * 256 + byte, 0)
    if (verified(toBase64(raw), signedText(checkpoint.body, at), toBase64(bytes.subarray(TIME_BYTES)), crypto))
      return at
  }
  return undefined
}

function signedText(body: string, at: number): string {
  return `cosignature/v1\ntime ${at}\n${body}`
}

/** C2SP signed-note: the first bytes of SHA-256(name ‖ 0x0A ‖ type ‖ key), hex. */
function hashOf(name: string, key: Uint8Array, crypto: Pick<Crypto, 'sha256'>): string {
  const label = new TextEncoder().encode(`${name}\n`)
  return crypto.sha256(Uint8Array.of(...label, COSIGNATURE_V1, ...key)).slice(0, HASH_BYTES * 2)
}

function bytesOf(at: number): Uint8Array {
  const bytes = new Uint8Array(TIME_BYTES)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(at))
  return bytes
}

function rawKey(publicKey: string): Uint8Array {
  const key = fromBase64(publicKey)
  if (key?.length === 32) return key
  throw new CountersignError('CS_KEY', 'a public key is not 32 bytes in base64; check the key file')
}

function verified(publicKey: string, text: string, signature: string, crypto: Verifier): boolean {
  try {
    return crypto.verify(publicKey, text, signature)
  } catch {
    return false
  }
}
