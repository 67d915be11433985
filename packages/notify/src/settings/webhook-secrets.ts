import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'

/** The prefixes of Standard Webhooks: a shared secret, and both halves of an Ed25519 key. */
export const SECRET_PREFIX = 'whsec_'
export const SIGNING_PREFIX = 'whsk_'
const PUBLIC_PREFIX = 'whpk_'

const SECRET_BYTES = 32

/** The head of an Ed25519 private key in PKCS #8, before its 32 bytes. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** A new shared secret. */
export function makeSecret(): string {
  return `${SECRET_PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`
}

/** A new Ed25519 key. */
export function makeSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ed25519')
  const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
  return `${SIGNING_PREFIX}${seed.toString('base64')}`
}

/** The half of a signing key that the receiver gets. */
export function publicHalf(signingKey: string): string {
  const key = signingKeyOf(signingKey)
  if (key === null) return ''
  return `${PUBLIC_PREFIX}${createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32).toString('base64')}`
}

/** A signing key as Node uses it; null if it is not one. */
export function signingKeyOf(text: string): KeyObject | null {
  const seed = decodeSecret(text, SIGNING_PREFIX)
  return seed === null
    ? null
    : createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, seed]), format: 'der', type: 'pkcs8' })
}

/** The bytes behind a prefix; null if the text is anything else. */
export function decodeSecret(text: string, prefix: typeof SECRET_PREFIX | typeof SIGNING_PREFIX): Buffer | null {
  if (!text.startsWith(prefix)) return null
  const rest = text.slice(prefix.length)
  const bytes = Buffer.from(rest, 'base64')
  const [least, most] = prefix === SECRET_PREFIX ? [24, 64] : [32, 32]
  return bytes.toString('base64') === rest && bytes.length >= least && bytes.length <= most ? bytes : null
}
