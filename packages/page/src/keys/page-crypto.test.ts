import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newSecrets, openCrypto, openSigner } from './page-crypto.ts'

const secrets = newSecrets()
const crypto = openCrypto(secrets)
const TEXTS = ['', 'abc', 'grüße 🐙', 'x'.repeat(100_000)]

describe('the crypto of a page', () => {
  it.each(TEXTS)('hashes as Node does', (text) => {
    const hash = createHash('sha256').update(text, 'utf8')
    expect(crypto.sha256(text)).toBe(hash.copy().digest('hex'))
    expect(crypto.sha256(new TextEncoder().encode(text))).toBe(hash.copy().digest('hex'))
    expect(Buffer.from(crypto.sha256Bytes(Buffer.from(text)))).toEqual(hash.digest())
    expect(crypto.keyedHash(text)).toBe(createHmac('sha256', secrets.redaction).update(text, 'utf8').digest('hex'))
  })

  it('signs what Node verifies, with an id that both compute', () => {
    const { publicKey, keyId, sign } = openSigner(secrets)
    const raw = Buffer.from(publicKey, 'base64')
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }, format: 'jwk' })
    expect(verify(null, Buffer.from('message'), key, Buffer.from(sign('message'), 'base64'))).toBe(true)
    expect(keyId).toBe(createHash('sha256').update(raw).digest('hex').slice(0, 16))
  })

  it('verifies a signature for its message and key only, in one spelling', () => {
    const { publicKey, sign } = openSigner(secrets)
    const signature = sign('message')
    expect(crypto.verify(publicKey, 'message', signature)).toBe(true)
    for (const [key, message, given] of [
      [publicKey, 'other', signature],
      [openSigner(newSecrets()).publicKey, 'message', signature],
      [publicKey, 'message', openSigner(newSecrets()).sign('message')],
      [publicKey, 'message', signature.slice(0, -2)],
      [publicKey, 'message', `${signature}\n`],
      [publicKey, 'message', ''],
      ['', 'message', signature],
      ['AAAA', 'message', signature],
    ] as const)
      expect(crypto.verify(key, message, given)).toBe(false)
  })

  it.each(TEXTS)('seals and unseals text', (text) => {
    expect(crypto.unseal(crypto.seal(text))).toBe(text)
    expect(crypto.seal(text)).not.toEqual(crypto.seal(text))
  })

  it('refuses sealed text that was changed, cut, or sealed with another key', () => {
    const sealed = crypto.seal('arguments')
    const refused = (bytes: Uint8Array, by = crypto) =>
      expect(() => by.unseal(bytes)).toThrow(expect.objectContaining({ code: 'CS_STORE_SEAL' }))
    for (const at of sealed.keys()) refused(sealed.map((byte, place) => (place === at ? byte ^ 1 : byte)))
    refused(sealed.subarray(0, -1))
    refused(new Uint8Array())
    refused(sealed, openCrypto(newSecrets()))
  })

  it('draws ids of 128 random bits', () => {
    expect(crypto.randomId()).toMatch(/^[0-9a-f]{32}$/)
    expect(crypto.randomId()).not.toBe(crypto.randomId())
  })
})
