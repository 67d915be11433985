import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { type Approver, CountersignError, type Signer } from '@countersign/core'
import { newSeed, signerOf } from './ed25519.ts'
import type { Home } from './home.ts'
import { damagedKey, decodeBase64, type KeyFile, readKeyFile } from './key-file.ts'
import { keyPath, readOrCreate } from './keys.ts'

/** Cost of one guess at a passphrase: 128 MiB and some tenths of a second. */
const SCRYPT = { N: 2 ** 17, r: 8, p: 1, maxmem: 2 ** 28 }

/** The approver key of this account, opened. */
export interface LocalApprover {
  readonly approver: Approver
  readonly signer: Signer
  /** Whether its file is useless without a passphrase. */
  readonly sealed: boolean
}

/** Opens this account's approver key; undefined when none was made yet. */
export function loadApprover(home: Home, options: { readonly passphrase?: string } = {}): LocalApprover | undefined {
  const path = keyPath(home, 'approver.key')
  const file = readKeyFile(path, 'approver')
  return file === undefined ? undefined : open(path, file, options.passphrase)
}

/** Makes this account's approver key, sealed when a passphrase is given. One that is there already is opened instead. */
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
      const signer = signerOf(seed)
      const secret =
        passphrase === undefined ? { seed: seed.toString('base64') } : sealSeed(seed, passphrase, signer.keyId)
      return { v: 1, kind: 'approver', id: signer.keyId, name, publicKey: signer.publicKey, ...secret }
    },
  )
}

function open(path: string, file: KeyFile, passphrase: string | undefined): LocalApprover {
  const sealed = file['box'] !== undefined
  const seed = sealed ? unsealSeed(path, file, passphrase) : decodeBase64(file['seed'], 32)
  if (seed === undefined || typeof file['name'] !== 'string') throw damagedKey(path)
  const signer = signerOf(seed)
  if (signer.keyId !== file.id || signer.publicKey !== file['publicKey']) throw damagedKey(path)
  return Object.freeze({
    approver: Object.freeze({ id: signer.keyId, name: file['name'], publicKey: signer.publicKey }),
    signer,
    sealed,
  })
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
    throw new CountersignError('CS_KEY', `\`${path}\` needs its passphrase; give it on a terminal`)
  try {
    const decipher = createDecipheriv('aes-256-gcm', stretch(passphrase, salt), nonce)
    decipher.setAAD(Buffer.from(file.id)).setAuthTag(box.subarray(32))
    return Buffer.concat([decipher.update(box.subarray(0, 32)), decipher.final()])
  } catch (error) {
    throw new CountersignError('CS_KEY', `that is not the passphrase of \`${path}\`; try again`, { cause: error })
  }
}

function stretch(passphrase: string, salt: Buffer): Buffer {
  return scryptSync(passphrase.normalize('NFC'), salt, 32, SCRYPT)
}
