import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { type Approver, CountersignError, type Signer } from '@countersign/core'
import { replaceSecretFile } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { withHomeLock } from '../home/lock.ts'
import { newSeed, signerOf } from '../keys/ed25519.ts'
import { keyPath, readOrCreate } from '../keys/home-keys.ts'
import { damagedKey, decodeBase64, type KeyFile, readKeyFile } from '../keys/key-file.ts'

/** The cost of one passphrase guess: 128 MiB and a few tenths of a second. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }

/** The approver key of this account, opened. */
export interface LocalApprover {
  readonly approver: Approver
  readonly signer: Signer
  /** Whether its file needs a passphrase. */
  readonly sealed: boolean
}

/** Opens this account's approver key; undefined when none was made yet. */
export function loadApprover(home: Home, options: { readonly passphrase?: string } = {}): LocalApprover | undefined {
  const path = keyPath(home, 'approver.key')
  const file = readKeyFile(path, 'approver')
  return file === undefined ? undefined : open(path, file, options.passphrase)
}

/** The state of this account's approver key, without opening it: absent, readable without a passphrase, or sealed. */
export function approverKeyState(home: Home): 'absent' | 'open' | 'sealed' {
  const file = readKeyFile(keyPath(home, 'approver.key'), 'approver')
  return file === undefined ? 'absent' : isSealed(file) ? 'sealed' : 'open'
}

/**
 * Seals this account's approver key with the passphrase `next`; without `next` the key is stored
 * unsealed. The key itself does not change: its signatures and enrolments stay valid.
 */
export function resealApprover(
  home: Home,
  options: { readonly passphrase?: string; readonly next?: string },
): LocalApprover {
  const path = keyPath(home, 'approver.key')
  return withHomeLock(home, () => {
    const file = readKeyFile(path, 'approver')
    if (file === undefined)
      throw new CountersignError('CS_KEY', `there is no \`${path}\`; \`countersign approvers seal\` makes one`)
    const seed = seedOf(path, file, options.passphrase)
    const { approver } = openWith(path, file, seed)
    const next = keyFile(approver, seed, options.next)
    openWith(path, next, seedOf(path, next, options.next)) // what is written can be opened again, or nothing is written
    replaceSecretFile(path, `${JSON.stringify(next)}\n`)
    return openWith(path, next, seed)
  })
}

/** Makes this account's approver key, sealed if there is a passphrase. Opens an existing key instead. */
export function makeApprover(
  home: Home,
  options: { readonly name: string; readonly passphrase?: string },
): LocalApprover {
  const { name, passphrase } = options
  return readOrCreate(
    keyPath(home, 'approver.key'),
    'approver',
    (path, file) => open(path, file, passphrase),
    () => {
      const seed = newSeed()
      const { keyId: id, publicKey } = signerOf(seed)
      return keyFile({ id, name, publicKey }, seed, passphrase)
    },
  )
}

function keyFile({ id, name, publicKey }: Approver, seed: Buffer, passphrase: string | undefined): KeyFile {
  const secret = passphrase === undefined ? { seed: seed.toString('base64') } : sealSeed(seed, passphrase, id)
  return { v: 1, kind: 'approver', id, name, publicKey, ...secret }
}

function open(path: string, file: KeyFile, passphrase: string | undefined): LocalApprover {
  return openWith(path, file, seedOf(path, file, passphrase))
}

function openWith(path: string, file: KeyFile, seed: Buffer): LocalApprover {
  if (typeof file['name'] !== 'string') throw damagedKey(path)
  const signer = signerOf(seed)
  if (signer.keyId !== file.id || signer.publicKey !== file['publicKey']) throw damagedKey(path)
  return Object.freeze({
    approver: Object.freeze({ id: signer.keyId, name: file['name'], publicKey: signer.publicKey }),
    signer,
    sealed: isSealed(file),
  })
}

function isSealed(file: KeyFile): boolean {
  return file['box'] !== undefined
}

function seedOf(path: string, file: KeyFile, passphrase: string | undefined): Buffer {
  const seed = isSealed(file) ? unsealSeed(path, file, passphrase) : decodeBase64(file['seed'], 32)
  if (seed === undefined) throw damagedKey(path)
  return seed
}

function sealSeed(seed: Buffer, passphrase: string, id: string): { salt: string; nonce: string; box: string } {
  const salt = randomBytes(16)
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', stretch(passphrase, salt), nonce).setAAD(Buffer.from(id))
  const box = Buffer.concat([cipher.update(seed), cipher.final(), cipher.getAuthTag()])
  return { salt: salt.toString('base64'), nonce: nonce.toString('base64'), box: box.toString('base64') }
}

function unsealSeed(path: string, file: KeyFile, passphrase: string | undefined): Buffer {
  const salt = decodeBase64(file['salt'], 16)
  const nonce = decodeBase64(file['nonce'], 12)
  const box = decodeBase64(file['box'], 48)
  if (salt === undefined || nonce === undefined || box === undefined) throw damagedKey(path)
  if (passphrase === undefined)
    throw new CountersignError('CS_PASSPHRASE', `\`${path}\` needs its passphrase; type it on a terminal`)
  try {
    const decipher = createDecipheriv('aes-256-gcm', stretch(passphrase, salt), nonce)
    decipher.setAAD(Buffer.from(file.id)).setAuthTag(box.subarray(32))
    return Buffer.concat([decipher.update(box.subarray(0, 32)), decipher.final()])
  } catch (error) {
    throw new CountersignError('CS_PASSPHRASE', `wrong passphrase for \`${path}\`; try again`, {
      cause: error,
    })
  }
}

function stretch(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase.normalize('NFC'), salt, 32, SCRYPT)
}
