import { type Stats, statSync } from 'node:fs'
import { type Approver, type Approvers, CountersignError } from '@countersign/core'
import { isSameFile } from '../files/file-identity.ts'
import { readOwnFile, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { withHomeLock } from '../home/lock.ts'
import { decodeBase64, keyIdOf } from '../keys/key-file.ts'

const MAX_BYTES = 1_048_576
const MAX_NAME = 200
const MAX_COSE = 4_096

/**
 * The enrolled approvers, read again whenever the file changes. An invalid file enrols nobody. Where several machines share
 * their approvers, `sync` brings the file up to date first.
 */
export function openApprovers(home: Home, sync?: () => Promise<void>): Approvers {
  const list = watchApprovers(home)
  const find = (id: string) => list().find((approver) => approver.id === id)
  return Object.freeze({
    find: sync === undefined ? find : (id: string) => sync().then(() => find(id)),
    list: async () => {
      await sync?.()
      return list()
    },
    verifyPasskey,
  })
}

/** Reads the file of approvers; the same list while the file does not change. */
export function watchApprovers(home: Home): () => readonly Approver[] {
  let known: { readonly stats: Stats | undefined; readonly list: readonly Approver[] } | undefined
  return () => {
    const stats = statSync(home.approvers, { throwIfNoEntry: false })
    if (known === undefined || !isSameFile(known.stats, stats)) known = { stats, list: readApprovers(home) }
    return known.list
  }
}

/** Replaces all approvers, as a shared list has them. The caller has the home's lock. */
export function writeApprovers(home: Home, approvers: readonly Approver[]): void {
  write(
    home,
    approvers.map((one) => readApprover(one, home.approvers)),
  )
}

/** Adds an approver; does nothing if it is enrolled already. Safe when two processes add at the same time. */
export function enrol(home: Home, approver: Approver): readonly Approver[] {
  const entry = readApprover(approver, home.approvers)
  return withHomeLock(home, () => {
    const before = readApprovers(home)
    if (before.some((one) => one.id === entry.id)) return before
    const approvers = [...before, entry]
    write(home, approvers)
    return approvers
  })
}

/** Removes an approver: its signatures no longer count. False when it was not enrolled. */
export function removeApprover(home: Home, id: string): boolean {
  return withHomeLock(home, () => {
    const before = readApprovers(home)
    const approvers = before.filter((one) => one.id !== id)
    if (approvers.length === before.length) return false
    write(home, approvers)
    return true
  })
}

/** Removes an approver and enrolls another in one step. The caller has the home's lock. */
export function replaceApprover(home: Home, removed: string, added: Approver): void {
  const entry = readApprover(added, home.approvers)
  const kept = readApprovers(home).filter(({ id }) => id !== removed && id !== entry.id)
  write(home, [...kept, entry])
}

function write(home: Home, approvers: readonly Approver[]): void {
  replaceOwnFile(home.approvers, `${JSON.stringify({ version: 1, approvers }, null, 2)}\n`)
}

/** The enrolled approvers as the file has them now. */
export function readApprovers(home: Home): readonly Approver[] {
  const text = readOwnFile(home.approvers, MAX_BYTES, 'CS_APPROVERS')
  if (text === undefined) return []
  const file = fieldsOf(parse(text, home.approvers), ['version', 'approvers'], home.approvers)
  if (file['version'] !== 1 || !Array.isArray(file['approvers'])) throw wrong(home.approvers, 'not of version 1')
  const list = file['approvers'].map((entry: unknown) => readApprover(entry, home.approvers))
  if (new Set(list.map((one) => one.id)).size !== list.length) throw wrong(home.approvers, 'it contains a key twice')
  return Object.freeze(list)
}

function readApprover(entry: unknown, path: string): Approver {
  const isPasskey = typeof entry === 'object' && entry !== null && 'kind' in entry && entry.kind === 'passkey'
  const names = ['id', 'name', 'publicKey', ...(isPasskey ? ['kind', 'passkey'] : [])]
  const { id, name, publicKey, passkey } = fieldsOf(entry, names, path)
  const raw = isPasskey ? anyBase64(publicKey) : decodeBase64(publicKey, 32)
  if (raw === undefined || typeof publicKey !== 'string') throw wrong(path, 'a public key is not 32 bytes of base64')
  if (id !== keyIdOf(raw)) throw wrong(path, 'an id does not belong to its public key')
  if (typeof name !== 'string' || name === '' || name.length > MAX_NAME)
    throw wrong(path, `a name is empty or longer than ${MAX_NAME} characters`)
  if (!isPasskey) return Object.freeze({ id, name, publicKey })
  const read = readPasskey(passkey)
  if (read === undefined) throw wrong(path, 'a passkey has no credential, site or origins')
  return Object.freeze({ id, name, kind: 'passkey', publicKey, passkey: read })
}

/** Strict base64 of a COSE key, which has no fixed length. */
function anyBase64(text: unknown): Buffer | undefined {
  if (typeof text !== 'string' || text.length > MAX_COSE) return undefined
  return decodeBase64(text, Buffer.from(text, 'base64').length)
}

function parse(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw wrong(path, 'not JSON')
  }
}

/** The fields of a plain object that has exactly these. */
function fieldsOf(value: unknown, names: readonly string[], path: string): { readonly [name: string]: unknown } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw wrong(path, 'an object was expected')
  const found = Object.keys(value)
  if (found.length !== names.length || !names.every((name) => Object.hasOwn(value, name)))
    throw wrong(path, `an object must have exactly ${names.map((name) => `\`${name}\``).join(', ')}`)
  return { ...value }
}

function wrong(path: string, what: string): CountersignError {
  return new CountersignError('CS_APPROVERS', `\`${path}\` is refused: ${what}; correct it or restore it from a backup`)
}

type Passkey = NonNullable<Approver['passkey']>

const MAX_TEXT = 2_048
const MAX_ORIGINS = 16

/** The passkey fields of an approver besides its key; undefined when they are invalid. */
function readPasskey(value: unknown): Passkey | undefined {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 3) return undefined
  const { credential, site, origins } = value as { readonly [field: string]: unknown }
  if (!isText(credential) || !isText(site) || !Array.isArray(origins)) return undefined
  if (origins.length === 0 || origins.length > MAX_ORIGINS || !origins.every(isText)) return undefined
  return Object.freeze({ credential, site, origins: Object.freeze([...origins]) })
}

/**
 * Whether an assertion answers exactly this challenge, for the passkey's own site, with the user verified.
 * The library is loaded with the first passkey decision: most processes never need it. Any error counts as no.
 */
export async function verifyPasskey(approver: Approver, sha256: string, assertion: string): Promise<boolean> {
  const { passkey } = approver
  if (approver.kind !== 'passkey' || passkey === undefined) return false
  try {
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    const { verified } = await verifyAuthenticationResponse({
      response: JSON.parse(assertion),
      expectedChallenge: Buffer.from(sha256, 'hex').toString('base64url'),
      expectedOrigin: [...passkey.origins],
      expectedRPID: passkey.site,
      credential: { id: passkey.credential, publicKey: Buffer.from(approver.publicKey, 'base64'), counter: 0 },
      requireUserVerification: true,
    })
    return verified
  } catch {
    return false
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT
}
