/**
 * How a gate joins others on a shared store. Both messages lie in the database, where others may read and write. A person
 * carries a code from the new machine to a member's: it proves each side to the other, and without it neither message
 * can be made or the keys read.
 * @module
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hash,
  hkdfSync,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { CountersignError, canonicalJson, type Signer } from '@countersign/core'
import type { SecretKey, SharedKeys } from '../keys/home-keys.ts'
import { decodeBase64, keyIdOf } from '../keys/key-file.ts'

const MAX_TEXT = 8_192
const MAX_NAME = 200
const NONCE = 12
const TAG = 16
/** How X25519 keys begin in DER; the 32 raw bytes follow. */
const SPKI = Buffer.from('302a300506032b656e032100', 'hex')

/** A gate that asks to join. */
export interface JoiningGate {
  readonly id: string
  readonly name: string
  readonly publicKey: string
}

/** A request as its gate keeps it until the answer. */
export interface MadeRequest {
  /** Goes into the database. */
  readonly text: string
  readonly privateKey: KeyObject
}

/** An opened answer: the keys, and the version of the list that has the new gate. */
export interface JoinAnswer {
  readonly keys: SharedKeys
  /** SHA-256 of that version, hex. */
  readonly list: string
}

/** The row of a request. The code cannot be found from it. */
export function joinIdOf(code: string): string {
  return hash('sha256', `countersign/join/id/v1\n${plain(code)}`, 'hex').slice(0, 32)
}

/** A request to join, proven by the code. */
export function makeJoinRequest(code: string, name: string, { keyId: id, publicKey }: Signer): MadeRequest {
  const pair = generateKeyPairSync('x25519')
  const body = { v: 1, id, name: name.slice(0, MAX_NAME), publicKey, exchange: rawOf(pair.publicKey) }
  return { text: canonicalJson({ ...body, mac: macOf(code, body) }), privateKey: pair.privateKey }
}

/** The gate in a request. Throws CS_GATES unless it was made with this code and not changed since. */
export function openJoinRequest(code: string, text: string): JoiningGate {
  const { id, name, publicKey } = readRequest(code, text)
  return { id, name, publicKey }
}

/** The answer to a request: the shared keys, encrypted for its gate alone. */
export function makeJoinAnswer(code: string, request: string, { keys, list }: JoinAnswer): string {
  const { exchange } = readRequest(code, request)
  const pair = generateKeyPairSync('x25519')
  const own = rawOf(pair.publicKey)
  const secret = agree(pair.privateKey, exchange, 'request')
  const nonce = randomBytes(NONCE)
  const cipher = createCipheriv('aes-256-gcm', boxKey(code, secret, request, own), nonce).setAAD(Buffer.from(list))
  const inside = canonicalJson({ seal: writeKey(keys.seal), redaction: writeKey(keys.redaction) })
  const box = Buffer.concat([nonce, cipher.update(inside, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return canonicalJson({ v: 1, exchange: own, list, box: box.toString('base64') })
}

/** Opens the answer to a request. Throws CS_GATES unless somebody with the code made it for this request. */
export function openJoinAnswer(code: string, request: MadeRequest, text: string): JoinAnswer {
  const { v, exchange, list, box } = parse(text)
  const key = publicKeyOf(exchange)
  const bytes = typeof box === 'string' ? Buffer.from(box, 'base64') : Buffer.alloc(0)
  if (v !== 1 || key === undefined || typeof list !== 'string' || bytes.length <= NONCE + TAG) throw untrusted('answer')
  const secret = agree(request.privateKey, key, 'answer')
  const decipher = createDecipheriv(
    'aes-256-gcm',
    boxKey(code, secret, request.text, exchange as string),
    bytes.subarray(0, NONCE),
  )
  decipher.setAAD(Buffer.from(list)).setAuthTag(bytes.subarray(-TAG))
  let inside: { readonly [field: string]: unknown }
  try {
    inside = parse(Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString('utf8'))
  } catch {
    throw untrusted('answer')
  }
  return { keys: { seal: readKey(inside['seal']), redaction: readKey(inside['redaction']) }, list }
}

function readRequest(code: string, text: string): JoiningGate & { readonly exchange: KeyObject } {
  const { mac, ...body } = parse(text)
  const { v, id, name, publicKey, exchange } = body
  const raw = decodeBase64(publicKey, 32)
  const key = publicKeyOf(exchange)
  const isWhole = v === 1 && raw !== undefined && id === keyIdOf(raw) && key !== undefined
  if (!isWhole || typeof name !== 'string' || typeof mac !== 'string') throw untrusted('request')
  if (!isSame(mac, macOf(code, body))) throw untrusted('request')
  return { id, name, publicKey: publicKey as string, exchange: key }
}

/** What a person types may have other groups and capitals. */
function plain(code: string): string {
  return code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function macOf(code: string, body: object): string {
  const key = hash('sha256', `countersign/join/mac/v1\n${plain(code)}`, 'buffer')
  return createHmac('sha256', key)
    .update(canonicalJson(body as never))
    .digest('base64')
}

/** SECURITY: Node refuses a public key that gives everybody the same secret. */
function agree(privateKey: KeyObject, publicKey: KeyObject, what: 'request' | 'answer'): Buffer {
  try {
    return diffieHellman({ privateKey, publicKey })
  } catch {
    throw untrusted(what)
  }
}

/** Needs both the private key of one side and the code. */
function boxKey(code: string, secret: Buffer, request: string, exchange: string): Buffer {
  const salt = hash('sha256', `countersign/join/box/v1\n${plain(code)}`, 'buffer')
  return Buffer.from(hkdfSync('sha256', secret, salt, `${hash('sha256', request, 'hex')}\n${exchange}`, 32))
}

function isSame(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
}

function rawOf(key: KeyObject): string {
  return key.export({ format: 'der', type: 'spki' }).subarray(SPKI.length).toString('base64')
}

function publicKeyOf(text: unknown): KeyObject | undefined {
  const raw = decodeBase64(text, 32)
  if (raw === undefined) return undefined
  return createPublicKey({ key: Buffer.concat([SPKI, raw]), format: 'der', type: 'spki' })
}

function writeKey({ id, bytes }: SecretKey): { readonly id: string; readonly key: string } {
  return { id, key: Buffer.from(bytes).toString('base64') }
}

function readKey(value: unknown): SecretKey {
  const { id, key } = typeof value === 'object' && value !== null ? (value as { id?: unknown; key?: unknown }) : {}
  const bytes = decodeBase64(key, 32)
  if (bytes === undefined || id !== keyIdOf(bytes)) throw untrusted('answer')
  return Object.freeze({ id, bytes })
}

function parse(text: string): { readonly [field: string]: unknown } {
  try {
    const value: unknown = text.length > MAX_TEXT ? undefined : JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch {
    // Falls through: invalid JSON and something else than an object are the same.
  }
  throw untrusted('message')
}

function untrusted(what: 'request' | 'answer' | 'message'): CountersignError {
  return new CountersignError(
    'CS_GATES',
    `the ${what} in the store was not made with this code; check the code, or begin again with \`countersign gates join\``,
  )
}
