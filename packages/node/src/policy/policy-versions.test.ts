import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openWorld } from '@countersign/testing/gate/world'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { expect, it, onTestFinished } from 'vitest'
import { openHome } from '../home/home.ts'
import { openVerifier } from '../keys/node-crypto.ts'
import { openPolicyVersions, policyVersion } from './policy-versions.ts'

const crypto = openVerifier()
const POLICY = 'version: 1\nrules:\n  - { id: free, tool: free_thing, supervision: automatic }\n'

async function world(policy = POLICY) {
  const opened = await openWorld({ policy })
  onTestFinished(() => opened.close())
  const hashes = async () =>
    (await opened.entries()).flatMap(({ kind, policy: hash }) => (kind === 'judged' ? [String(hash)] : []))
  return { ...opened, hashes, folder: join(opened.home.dir, 'policies') }
}

it('keeps the text of every policy that a call was judged by, privately and once', async () => {
  const { home, gate, hashes, folder } = await world()
  await gate.run({ tool: 'free_thing', args: {} }, () => 1)
  writeFileSync(home.policy, `${POLICY}  - { id: never, tool: never_thing, supervision: deny }\n`, { mode: 0o600 })
  await gate.run({ tool: 'never_thing', args: {} }, () => 1)
  const [first = '', second = ''] = await hashes()
  expect(first).not.toBe(second)
  expect(policyVersion(home, first, crypto)).not.toContain('never_thing')
  expect(policyVersion(home, second, crypto)).toContain('never_thing')
  expect(new Set(readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777))).toEqual(
    new Set([0o600]),
  )
})

it('keeps the text of what holds while a file is invalid', async () => {
  const { home, gate, hashes } = await world()
  await gate.run({ tool: 'free_thing', args: {} }, () => 1)
  writeFileSync(home.policy, 'version: 1\nrules: nonsense\n', { mode: 0o600 })
  writeFileSync(join(home.dir, 'policy.yml'), '', { mode: 0o600 })
  await gate.run({ tool: 'free_thing', args: {} }, () => 1)
  for (const hash of await hashes()) expect(policyVersion(home, hash, crypto)).toBeDefined()
})

it('keeps no policy with something that looks like a secret', async () => {
  const token = ['ghp', 'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8'].join('_')
  const { home, gate, hashes, folder } = await world(`${POLICY}# ${token}\n`)
  await gate.run({ tool: 'free_thing', args: {} }, () => 1)
  const [hash = ''] = await hashes()
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(policyVersion(home, hash, crypto)).toBeUndefined()
  if (existsSync(folder)) expect(readdirSync(folder)).not.toContain(`${hash}.gz`)
})

it('returns only a text that has the hash, and never stops a call that cannot keep one', async () => {
  const home = openHome(join(temporaryFolder(), 'home'))
  const hash = crypto.sha256('text')
  openPolicyVersions(home).keep(hash, 'text')
  expect(policyVersion(home, hash, crypto)).toBe('text')
  const path = join(home.dir, 'policies', `${hash}.gz`)
  const other = crypto.sha256('other')
  writeFileSync(join(home.dir, 'policies', `${other}.gz`), readFileSync(path), { mode: 0o600 })
  expect(policyVersion(home, other, crypto)).toBeUndefined()
  writeFileSync(path, 'nonsense', { mode: 0o600 })
  expect(policyVersion(home, hash, crypto)).toBeUndefined()
  for (const name of ['../../keys/gate', '', 'A'.repeat(64)]) expect(policyVersion(home, name, crypto)).toBeUndefined()
  rmSync(join(home.dir, 'policies'), { recursive: true })
  writeFileSync(join(home.dir, 'policies'), 'a file')
  expect(() => openPolicyVersions(home).keep(hash, 'text')).not.toThrow()
})
