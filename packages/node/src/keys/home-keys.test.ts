import {
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { runNode } from '@countersign/testing/command/run-node'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it } from 'vitest'
import { approverKeyState, loadApprover, makeApprover, resealApprover } from '../approvers/approver-key.ts'
import { type Home, openHome } from '../home/home.ts'
import { openGateKey, openRedactionKey, openSealKey } from './home-keys.ts'
import { openCrypto } from './node-crypto.ts'

const newHome = (): Home => openHome(join(temporaryFolder(), 'home'))
const refusal = (message: RegExp, code = 'CS_KEY') =>
  expect.objectContaining({ code, message: expect.stringMatching(message) })

const KEYS: readonly (readonly [file: string, open: (home: Home) => unknown])[] = [
  ['gate.key', (home) => openGateKey(home).publicKey],
  ['seal.key', openSealKey],
  ['redaction.key', openRedactionKey],
  ['approver.key', (home) => makeApprover(home, { name: 'ada' }).approver],
]

describe.each(KEYS)('%s', (file, open) => {
  it('stays the same when reopened, readable only by this account', () => {
    const home = newHome()
    const first = open(home)
    expect(open(home)).toEqual(first)
    expect(statSync(join(home.keys, file)).mode & 0o777).toBe(0o600)
    expect(readdirSync(home.keys)).toEqual([file])
  })

  it.each([0o640, 0o604, 0o660])('is refused with mode %o', (mode) => {
    const home = newHome()
    open(home)
    chmodSync(join(home.keys, file), mode)
    expect(() => open(home)).toThrow(refusal(/chmod 600/))
  })

  it('is refused after any character changed', () => {
    const home = newHome()
    open(home)
    const path = join(home.keys, file)
    const text = readFileSync(path, 'utf8')
    const secretAt = Math.max(text.indexOf('"seed":"'), text.indexOf('"key":"')) + 8
    for (const at of [0, secretAt, secretAt + 20, text.indexOf('"id":"') + 7]) {
      writeFileSync(path, text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1))
      expect(() => open(home)).toThrow(refusal(/damaged/))
    }
    writeFileSync(path, text.slice(0, 10))
    expect(() => open(home)).toThrow(refusal(/damaged/))
  })

  it('is refused if it is a link to another file', () => {
    const [home, other] = [newHome(), newHome()]
    open(other)
    mkdirSync(home.keys, 0o700)
    symlinkSync(join(other.keys, file), join(home.keys, file))
    expect(() => open(home)).toThrow(refusal(/symlink/))
  })
})

describe('processes that start at the same time', () => {
  it('end up with one key of each kind', { timeout: 60_000 }, async () => {
    const home = newHome()
    const source = `
      import { openHome } from './packages/node/src/home/home.ts'
      import { openGateKey, openSealKey } from './packages/node/src/keys/home-keys.ts'
      import { makeApprover } from './packages/node/src/approvers/approver-key.ts'
      const home = openHome(process.argv[1])
      console.log(openGateKey(home).keyId, openSealKey(home).id, makeApprover(home, { name: 'p' + process.pid }).approver.id)`
    const printed = await Promise.all(Array.from({ length: 4 }, () => runNode(source, [home.dir])))
    expect(new Set(printed).size).toBe(1)
    expect(readdirSync(home.keys).sort()).toEqual(['approver.key', 'gate.key', 'seal.key'])
  })
})

describe('an approver key', () => {
  it('is absent until created', () => {
    expect(loadApprover(newHome())).toBeUndefined()
  })

  it('signs what its public key verifies, and nothing else', () => {
    const home = newHome()
    const { approver, signer } = makeApprover(home, { name: 'ada' })
    const crypto = openCrypto(home)
    const signature = signer.sign('approve')
    expect(crypto.verify(approver.publicKey, 'approve', signature)).toBe(true)
    expect(crypto.verify(approver.publicKey, 'reject', signature)).toBe(false)
    expect(approver.id).toBe(crypto.sha256(Buffer.from(approver.publicKey, 'base64')).slice(0, 16))
  })

  it('sealed with a passphrase opens only with that passphrase', { timeout: 60_000 }, () => {
    const home = newHome()
    const made = makeApprover(home, { name: 'ada', passphrase: 'correct horse' })
    expect(made.sealed).toBe(true)
    expect(readFileSync(join(home.keys, 'approver.key'), 'utf8')).not.toContain('"seed"')
    expect(() => loadApprover(home)).toThrow(refusal(/needs its passphrase/, 'CS_PASSPHRASE'))
    expect(() => loadApprover(home, { passphrase: 'wrong horse' })).toThrow(
      refusal(/wrong passphrase/, 'CS_PASSPHRASE'),
    )
    expect(loadApprover(home, { passphrase: 'correct horse' })?.approver).toEqual(made.approver)
  })

  it('can be sealed, resealed and unsealed in place, stays the same key, and leaves no copy', {
    timeout: 60_000,
  }, () => {
    const home = newHome()
    const path = join(home.keys, 'approver.key')
    expect(approverKeyState(home)).toBe('absent')
    const { approver } = makeApprover(home, { name: 'ada' })
    expect(approverKeyState(home)).toBe('open')
    const { seed } = JSON.parse(readFileSync(path, 'utf8')) as { readonly seed: string }
    const old = openSync(path, 'r')
    writeFileSync(`${path}.0123456789abcdef.tmp`, seed) // as after a crash
    expect(resealApprover(home, { next: 'correct horse' })).toMatchObject({ approver, sealed: true })
    expect(approverKeyState(home)).toBe('sealed')
    expect(readdirSync(home.keys)).toEqual(['approver.key'])
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readFileSync(path, 'utf8')).not.toContain(seed)
    expect(readFileSync(old, 'utf8')).not.toContain(seed) // the previous file is overwritten
    closeSync(old)

    resealApprover(home, { passphrase: 'correct horse', next: 'battery staple' })
    const sealed = readFileSync(path, 'utf8')
    const wrong = refusal(/wrong passphrase/, 'CS_PASSPHRASE')
    expect(() => resealApprover(home, { passphrase: 'correct horse' })).toThrow(wrong)
    expect(readFileSync(path, 'utf8')).toBe(sealed)
    expect(resealApprover(home, { passphrase: 'battery staple' })).toMatchObject({ approver, sealed: false })
    expect(loadApprover(home)?.approver).toEqual(approver)
  })

  it('with a second hard link keeps that copy', { timeout: 60_000 }, () => {
    const home = newHome()
    makeApprover(home, { name: 'ada' })
    const copy = join(home.dir, 'kept.key')
    linkSync(join(home.keys, 'approver.key'), copy)
    const before = readFileSync(copy, 'utf8')
    resealApprover(home, { next: 'correct horse' })
    expect(readFileSync(copy, 'utf8')).toBe(before)
  })
})
