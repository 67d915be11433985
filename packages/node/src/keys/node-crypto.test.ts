import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Crypto } from '@countersign/core'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { openHome } from '../home/home.ts'
import { openGateKey } from './home-keys.ts'
import { openCrypto } from './node-crypto.ts'

const newHome = () => openHome(join(temporaryFolder(), 'home'))
const wellFormed = fc.string({ unit: 'grapheme' })

describe('crypto on Node', () => {
  let crypto: Crypto
  let signer: ReturnType<typeof openGateKey>

  beforeEach(() => {
    const home = newHome()
    crypto = openCrypto(home)
    signer = openGateKey(home)
  })

  it('hashes text as UTF-8, with the same result as bytes', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        const expected = createHash('sha256').update(text, 'utf8').digest('hex')
        const bytes = new TextEncoder().encode(text)
        expect(crypto.sha256(text)).toBe(expected)
        expect(crypto.sha256(bytes)).toBe(expected)
        expect(Buffer.from(crypto.sha256Bytes(bytes)).toString('hex')).toBe(expected)
      }),
    )
  })

  it('opens what it sealed, and never seals the same text twice alike', () => {
    fc.assert(
      fc.property(wellFormed, (text) => {
        const sealed = crypto.seal(text)
        expect(crypto.unseal(sealed)).toBe(text)
        expect(crypto.seal(text)).not.toEqual(sealed)
      }),
    )
  })

  it('refuses a seal with a flipped bit, truncated, or from another home', () => {
    const sealed = crypto.seal('rm -rf build')
    const refused = expect.objectContaining({ code: 'CS_STORE_SEAL' })
    for (let at = 0; at < sealed.length; at += 1) {
      const flipped = Uint8Array.from(sealed)
      flipped[at] = (flipped[at] ?? 0) ^ 1
      expect(() => crypto.unseal(flipped)).toThrow(refused)
      expect(() => crypto.unseal(sealed.slice(0, at))).toThrow(refused)
    }
    expect(() => openCrypto(newHome()).unseal(sealed)).toThrow(refused)
  })

  it('keeps redacted values comparable within a home, and only there', () => {
    expect(crypto.keyedHash('token')).toBe(crypto.keyedHash('token'))
    expect(crypto.keyedHash('token')).not.toBe(crypto.keyedHash('tokens'))
    expect(openCrypto(newHome()).keyedHash('token')).not.toBe(crypto.keyedHash('token'))
    expect(crypto.keyedHash('token')).toMatch(/^[0-9a-f]{64}$/)
  })

  it('creates 128-bit identifiers', () => {
    const ids = Array.from({ length: 1_000 }, () => crypto.randomId())
    expect(new Set(ids).size).toBe(1_000)
    expect(ids.every((id) => /^[0-9a-f]{32}$/.test(id))).toBe(true)
  })

  it('returns false, and does not throw, for invalid keys and signatures', () => {
    const good = signer.sign('text')
    expect(crypto.verify(signer.publicKey, 'text', good)).toBe(true)
    fc.assert(
      fc.property(
        fc.oneof(fc.string(), fc.base64String(), fc.constant(good)),
        fc.oneof(fc.string(), fc.base64String()),
        (a, b) => {
          expect(crypto.verify(a, 'text', good)).toBe(false)
          expect(crypto.verify(signer.publicKey, 'text', b)).toBe(false)
        },
      ),
    )
  })

  it('accepts only one encoding of each signature', () => {
    const good = signer.sign('text')
    for (const other of [
      `${good} `,
      `${good}\n`,
      good.replace(/=+$/, ''),
      good.replaceAll('+', '-').replaceAll('/', '_').concat('='),
    ])
      if (other !== good) expect(crypto.verify(signer.publicKey, 'text', other)).toBe(false)
  })
})
