import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, type Signer } from '@countersign/core'
import { openOwnFolder, replaceOwnFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { newSeed, signerOf } from './ed25519.ts'
import { createKeyFile, damagedKey, decodeBase64, type KeyFile, keyIdOf, readKeyFile } from './key-file.ts'

/** A symmetric key of this home, with an id that its sealed data carries. */
export interface SecretKey {
  readonly id: string
  readonly bytes: Uint8Array
}

/** The key that signs checkpoints: made on first use, one for the home however many processes start at once. */
export function openGateKey(home: Home): Signer {
  const path = keyPath(home, 'gate.key')
  return readOrCreate(path, 'gate', openSeed, () => {
    const seed = newSeed()
    return { v: 1, kind: 'gate', id: signerOf(seed).keyId, seed: seed.toString('base64') }
  })
}

/** The key with which this home cosigns checkpoints as a witness. It signs nothing else. */
export function openWitnessKey(home: Home): Signer {
  return readOrCreate(keyPath(home, 'witness.key'), 'witness', openSeed, () => {
    const seed = newSeed()
    return { v: 1, kind: 'witness', id: signerOf(seed).keyId, seed: seed.toString('base64') }
  })
}

/** The keys that gates on one store share. */
export interface SharedKeys {
  /** Held arguments are sealed with it. */
  readonly seal: SecretKey
  /** Redacted values are hashed with it. */
  readonly redaction: SecretKey
}

/** The key under which held arguments lie in the store. */
export function openSealKey(home: Home): SecretKey {
  return openSecret(home, 'seal')
}

/** The key under which redacted values are hashed, so that equal ones can be told without being read. */
export function openRedactionKey(home: Home): SecretKey {
  return openSecret(home, 'redaction')
}

/** Stores the keys of a shared store; they are used from when this home has its list of gates. */
export function writeSharedKeys(home: Home, keys: SharedKeys): void {
  for (const kind of SECRETS) {
    const { id, bytes } = keys[kind]
    const file = { v: 1, kind, id, key: Buffer.from(bytes).toString('base64') }
    replaceOwnFile(sharedPath(home, kind), `${JSON.stringify(file)}\n`)
  }
}

/** Where a key lies; its folder is made and checked. */
export function keyPath(home: Home, name: string): string {
  openOwnFolder(home.keys, 'CS_KEY')
  return join(home.keys, name)
}

/** Reads a key, or makes it; when another process was faster, its key is the key. */
export function readOrCreate<T>(
  path: string,
  kind: string,
  open: (path: string, file: KeyFile) => T,
  make: () => KeyFile,
): T {
  const found = readKeyFile(path, kind)
  if (found !== undefined) return open(path, found)
  createKeyFile(path, make())
  const made = readKeyFile(path, kind)
  if (made === undefined) throw damagedKey(path)
  return open(path, made)
}

function openSeed(path: string, file: KeyFile): Signer {
  const seed = decodeBase64(file['seed'], 32)
  if (seed === undefined) throw damagedKey(path)
  const signer = signerOf(seed)
  if (signer.keyId !== file.id) throw damagedKey(path)
  return signer
}

const SECRETS = ['seal', 'redaction'] as const

function sharedPath(home: Home, kind: (typeof SECRETS)[number]): string {
  return keyPath(home, `shared-${kind}.key`)
}

function openSecret(home: Home, kind: (typeof SECRETS)[number]): SecretKey {
  return existsSync(home.gates) ? openShared(sharedPath(home, kind), kind) : openOwn(keyPath(home, `${kind}.key`), kind)
}

/** INVARIANT: L3, a shared key that is missing is not made anew: other gates could not open what it seals. */
function openShared(path: string, kind: string): SecretKey {
  const file = readKeyFile(path, kind)
  if (file !== undefined) return openBytes(path, file)
  throw new CountersignError(
    'CS_KEY',
    `\`${path}\` is missing, which this home shares with other machines; restore it from a backup, or join again`,
  )
}

function openOwn(path: string, kind: string): SecretKey {
  return readOrCreate(path, kind, openBytes, () => {
    const bytes = randomBytes(32)
    return { v: 1, kind, id: keyIdOf(bytes), key: bytes.toString('base64') }
  })
}

function openBytes(path: string, file: KeyFile): SecretKey {
  const bytes = decodeBase64(file['key'], 32)
  if (bytes === undefined || keyIdOf(bytes) !== file.id) throw damagedKey(path)
  return Object.freeze({ id: file.id, bytes })
}
