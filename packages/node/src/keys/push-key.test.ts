import { createPublicKey, sign, verify } from 'node:crypto'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { openHome } from '../home/home.ts'
import { openPushKey } from './push-key.ts'

describe('the push key', () => {
  it('is made once, is the owner’s alone, and its halves belong together', () => {
    const home = openHome(join(temporaryFolder(), 'home'))
    const { privateKey, publicKey } = openPushKey(home)
    expect(openPushKey(home).publicKey.equals(publicKey)).toBe(true)
    expect(statSync(join(home.keys, 'push.key')).mode & 0o777).toBe(0o600)
    expect([publicKey.length, publicKey[0]]).toEqual([65, 4])
    const [x, y] = [publicKey.subarray(1, 33), publicKey.subarray(33)].map((part) => part.toString('base64url'))
    const shown = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }, format: 'jwk' })
    expect(verify('sha256', Buffer.from('x'), shown, sign('sha256', Buffer.from('x'), privateKey))).toBe(true)
  })

  it('is refused if its file is damaged', () => {
    const home = openHome(join(temporaryFolder(), 'home'))
    openPushKey(home)
    const path = join(home.keys, 'push.key')
    const file = JSON.parse(readFileSync(path, 'utf8')) as object
    for (const change of [{ point: 'AAAA' }, { secret: 'x' }, { id: '0'.repeat(16) }, { kind: 'gate' }]) {
      writeFileSync(path, JSON.stringify({ ...file, ...change }))
      expect(() => openPushKey(home)).toThrow(/is damaged; restore it from a backup/)
    }
  })
})
