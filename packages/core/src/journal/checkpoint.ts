import { fromBase64, toBase64 } from '../call/base64.ts'
import { CountersignError } from '../errors.ts'
import type { Crypto, Signer } from '../ports/crypto.ts'
import type { JournalHead } from '../ports/store.ts'
import { fromHex, toHex } from './hex.ts'
import { rootOf } from './merkle.ts'

/** The name of a journal in its checkpoints. One key signs one journal, so the key names it. */
export function journalOrigin(signer: Pick<Signer, 'keyId'>): string {
  return `countersign/${signer.keyId}`
}

/** The part of the crypto port that verifying needs: no key of a home. */
export type Verifier = Pick<Crypto, 'sha256' | 'verify'>

/** A parsed checkpoint: what it claims, and its signatures. */
export interface Checkpoint {
  readonly origin: string
  readonly size: number
  /** Hex. */
  readonly root: string
  /** The signed text, including its last newline. */
  readonly body: string
  readonly signatures: readonly NoteSignature[]
}

interface NoteSignature {
  readonly name: string
  /** Hex of the four bytes that distinguish keys of one name. */
  readonly keyHash: string
  /** base64. */
  readonly signature: string
}

/** A longer text is not a checkpoint, which has a few lines. */
const MAX_NOTE = 65_536
const ED25519 = 1

/** Signs the head of a journal in the C2SP form (tlog-checkpoint, signed-note); the key is named like the origin. */
export function signCheckpoint(head: JournalHead, signer: Signer, crypto: Crypto, origin: string): string {
  const body = `${origin}\n${head.size}\n${toBase64(hexBytes(rootOf(head.frontier, head.size, crypto)))}\n`
  const signature = fromBase64(signer.sign(body))
  if (signature?.length !== 64)
    throw new CountersignError('CS_KEY', 'the gate’s key did not make an Ed25519 signature; make a new key')
  const hash = hexBytes(keyHash(origin, signer.publicKey, crypto))
  return `${body}\n— ${origin} ${toBase64(Uint8Array.of(...hash, ...signature))}\n`
}

/** Parses a checkpoint without verifying its signatures; undefined when it is malformed. */
export function parseCheckpoint(note: string): Checkpoint | undefined {
  const cut = note.length > MAX_NOTE ? -1 : note.lastIndexOf('\n\n')
  if (cut < 0 || !note.endsWith('\n')) return undefined
  const body = note.slice(0, cut + 1)
  const [origin, size, root] = body.split('\n')
  if (!origin || !size || !/^(?:0|[1-9][0-9]{0,15})$/.test(size)) return undefined
  const bytes = fromBase64(root ?? '')
  if (bytes?.length !== 32 || !Number.isSafeInteger(Number(size))) return undefined
  const signatures: NoteSignature[] = []
  for (const line of note.slice(cut + 2, -1).split('\n')) {
    const signature = parseSignature(line)
    if (signature === undefined) return undefined
    signatures.push(signature)
  }
  return { origin, size: Number(size), root: toHex(bytes), body, signatures }
}

/** The checkpoint in `note` if `publicKey` (base64, raw Ed25519) signed it, otherwise undefined. Other signatures are ignored. */
export function verifyCheckpoint(note: string, publicKey: string, crypto: Verifier): Checkpoint | undefined {
  const checkpoint = parseCheckpoint(note)
  const signed = checkpoint?.signatures.some(
    (one) =>
      one.keyHash === keyHash(one.name, publicKey, crypto) &&
      isSigned(publicKey, checkpoint.body, one.signature, crypto),
  )
  return signed ? checkpoint : undefined
}

/** C2SP signed-note: the first four bytes of SHA-256(name ‖ 0x0A ‖ 0x01 ‖ key), hex. */
export function keyHash(name: string, publicKey: string, crypto: Pick<Crypto, 'sha256'>): string {
  const key = rawKey(publicKey)
  const label = new TextEncoder().encode(`${name}\n`)
  const bytes = new Uint8Array(label.length + 1 + key.length)
  bytes.set(label)
  bytes[label.length] = ED25519
  bytes.set(key, label.length + 1)
  return crypto.sha256(bytes).slice(0, 8)
}

/** The C2SP verifier key `name+hash+key` that other tools need. */
export function verifierKey(origin: string, publicKey: string, crypto: Crypto): string {
  return `${origin}+${keyHash(origin, publicKey, crypto)}+${toBase64(Uint8Array.of(ED25519, ...rawKey(publicKey)))}`
}

function rawKey(publicKey: string): Uint8Array {
  const key = fromBase64(publicKey)
  if (key?.length !== 32)
    throw new CountersignError('CS_KEY', 'a public key is not 32 bytes in base64; check the key file')
  return key
}

function hexBytes(hex: string): Uint8Array {
  const bytes = fromHex(hex)
  if (bytes === undefined) throw new CountersignError('CS_INTERNAL', 'a hash is not hex; please report this')
  return bytes
}

function isSigned(publicKey: string, body: string, signature: string, crypto: Verifier): boolean {
  try {
    return crypto.verify(publicKey, body, signature)
  } catch {
    return false
  }
}

function parseSignature(line: string): NoteSignature | undefined {
  const match = /^— ([^\s+]+) ([A-Za-z0-9+/=]+)$/.exec(line)
  const bytes = fromBase64(match?.[2] ?? '')
  if (match?.[1] === undefined || bytes === undefined || bytes.length < 5) return undefined
  return { name: match[1], keyHash: toHex(bytes.subarray(0, 4)), signature: toBase64(bytes.subarray(4)) }
}
