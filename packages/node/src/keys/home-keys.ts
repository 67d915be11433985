import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Signer } from '@countersign/core'
import { openOwnFolder } from '../files/private-file.ts'
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

/** The key under which held arguments lie in the store. */
export function openSealKey(home: Home): SecretKey {
  return openSecret(keyPath(home, 'seal.key'), 'seal')
}

/** The key under which redacted values are hashed, so that equal ones can be told without being read. */
export function openRedactionKey(home: Home): SecretKey {
  return openSecret(keyPath(home, 'redaction.key'), 'redaction')
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

function openSecret(path: string, kind: string): SecretKey {
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
