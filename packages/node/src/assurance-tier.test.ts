import { chmodSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { isApart, keepApartProof, tierOf } from './assurance-tier.ts'
import { openHome } from './home/home.ts'

describe('a tier', () => {
  it.each([
    ['same process', true, 'T0'],
    ['same user', true, 'T1'],
    ['other user', false, 'T2'],
    ['other user', true, 'T3'],
  ] as const)('with the asker as %s and a passkey required: %s, is %s', (asker, passkey, tier) => {
    expect(tierOf({ asker, passkey })).toBe(tier)
  })
})

describe('the proof that askers are another user', () => {
  function kept(but: { readonly asker?: number; readonly at?: number; readonly socket?: string } = {}) {
    const home = openHome(join(temporaryFolder(), 'home'))
    const socket = join(temporaryFolder(), 'asking.sock')
    writeFileSync(socket, '', { mode: 0o660 })
    keepApartProof(home, { socket, asker: 54_321, at: 1_000, ...but })
    return { home, socket }
  }

  it('is valid if it was stored for the same socket', () => {
    const { home, socket } = kept()
    expect(isApart(home, socket, 2_000)).toBe(true)
    expect(isApart(home, `${socket}2`, 2_000)).toBe(false)
  })

  it.each([
    ['by the same user', { asker: process.geteuid?.() ?? 0 }, 2_000],
    ['from the future', {}, 0],
    ['that is too old', {}, 31 * 86_400_000],
    ['for another socket', { socket: '/elsewhere' }, 2_000],
    ['without a time', { at: Number.NaN }, 2_000],
  ])('is not valid if it is a proof %s', (_, but, now) => {
    const { home, socket } = kept(but)
    expect(isApart(home, socket, now)).toBe(false)
  })

  it('is not valid if it is missing or malformed, or if home, socket or its folder became accessible since', () => {
    expect(isApart(openHome(join(temporaryFolder(), 'home')), '/x', 2_000)).toBe(false)
    const bad = kept()
    writeFileSync(join(bad.home.run, 'apart.json'), '{', { mode: 0o600 })
    expect(isApart(bad.home, bad.socket, 2_000)).toBe(false)
    const opened = kept()
    chmodSync(opened.socket, 0o666)
    expect(isApart(opened.home, opened.socket, 2_000)).toBe(false)
    const replaceable = kept()
    chmodSync(dirname(replaceable.socket), 0o770)
    expect(isApart(replaceable.home, replaceable.socket, 2_000)).toBe(false)
    const wide = kept()
    chmodSync(wide.home.dir, 0o711)
    expect(isApart(wide.home, wide.socket, 2_000)).toBe(false)
  })

  it('is not valid if that user could change the program, or a folder above it, since', () => {
    const { home, socket } = kept()
    const folder = temporaryFolder()
    const script = join(folder, 'countersign.js')
    writeFileSync(script, '', { mode: 0o755 })
    const isValid = () => isApart(home, socket, 2_000, [process.execPath, script])
    expect(isValid()).toBe(true)
    chmodSync(folder, 0o777)
    expect(isValid()).toBe(false)
    chmodSync(folder, 0o755)
    chmodSync(script, 0o777)
    expect(isValid()).toBe(false)
    expect(isApart(home, socket, 2_000, [join(folder, 'gone.js')])).toBe(false)
  })
})
