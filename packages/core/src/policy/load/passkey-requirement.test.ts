import { describe, expect, it } from 'vitest'
import type { Crypto } from '../../ports/crypto.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import { withPasskey } from '../evaluate/adjust-verdict.ts'
import type { PolicySet } from '../model/rule.ts'
import type { Verdict } from '../model/verdict.ts'
import { loadPolicyFile } from '../parse/policy-file.ts'
import { openCurrentPolicy } from './current-policy.ts'
import { lowestPasskeyLevel } from './merged-settings.ts'
import { loadPolicy } from './policy.ts'

const read = (layer: 'user' | 'managed' | 'project', text: string) =>
  loadPolicyFile({ layer, name: 'policy.yaml', text: `version: 1\n${text}\n` }, { checkers: [] })

describe('a policy that requires a passkey', () => {
  it('sets the lowest risk that needs one', () => {
    expect(read('user', 'defaults: { passkey: high }')).toMatchObject({ kind: 'loaded', passkeyFrom: 'high' })
    expect(read('managed', 'defaults: { passkey: critical }')).toMatchObject({ passkeyFrom: 'critical' })
    expect(read('user', 'defaults: { timeout: 5m }')).toMatchObject({ passkeyFrom: null })
  })

  it('cannot come from a project, and names a risk level', () => {
    expect(read('project', 'defaults: { passkey: high }')).toMatchObject({
      kind: 'refused',
      problems: [{ line: 2, message: expect.stringContaining('not by a project') }],
    })
    expect(read('user', 'defaults: { passkey: always }')).toMatchObject({ kind: 'refused' })
  })

  it('applies from the lowest level in any file', () => {
    expect(lowestPasskeyLevel(['critical', null, 'high'])).toBe('high')
    expect(lowestPasskeyLevel([null, undefined])).toBeUndefined()
  })

  it.each<[RiskLevel, boolean]>([
    ['none', false],
    ['medium', false],
    ['high', true],
    ['critical', true],
  ])('at high requires one at %s: %s', (level, demanded) => {
    const verdict = withPasskey({ reasons: [] } as unknown as Verdict, { passkeyFrom: 'high' } as PolicySet, level)
    expect(verdict.passkey === true).toBe(demanded)
    expect(verdict.reasons).toEqual(demanded ? ['from high risk up, only a passkey can approve'] : [])
  })
})

describe('a refused policy', () => {
  const crypto = { sha256: (text: string) => text } as unknown as Crypto
  const demand = {
    layer: 'user',
    name: 'policy.yaml',
    text: 'version: 1\ndefaults: { passkey: high }\n',
    trusted: false,
  } as const
  const bad = { layer: 'project', name: 'policy.yaml', text: 'version: 1\nrules: none\n', trusted: false } as const

  it('keeps the requirement of its good files (A3)', async () => {
    expect(loadPolicy([demand, bad], { checkers: [], crypto })).toMatchObject({
      kind: 'refused',
      rest: { passkeyFrom: 'high' },
    })
    expect(loadPolicy([bad], { checkers: [], crypto })).not.toHaveProperty('rest.passkeyFrom')
    const files = { version: () => '1', read: async () => [demand, bad] }
    const { current } = await openCurrentPolicy(files, crypto, () => [])
    expect(current.policy.set.passkeyFrom).toBe('high')
  })

  it.each([
    ['a person’s file that mentions passkeys', { layer: 'user', text: 'passkey: [' }, 'high'],
    ['an organisation’s unreadable file', { layer: 'managed', text: '', unreadable: 'EACCES' }, 'high'],
    ['a project’s file, which cannot require one', { layer: 'project', text: 'passkey: [' }, undefined],
    ['a person’s file that does not mention passkeys', { layer: 'user', text: 'rules: [' }, undefined],
  ] as const)('requires a passkey only if its broken file may have required one: %s', (_, file, from) => {
    const loaded = loadPolicy([{ name: 'policy.yaml', trusted: false, ...file }], { checkers: [], crypto })
    expect(loaded.kind === 'refused' && loaded.rest.passkeyFrom).toBe(from)
  })

  it('requires a passkey at high if no file could be read, because the setting is unknown', async () => {
    const files = { version: () => '1', read: () => Promise.reject(new Error('gone')) }
    const { current } = await openCurrentPolicy(files, crypto, () => [])
    expect(current.policy.set.passkeyFrom).toBe('high')
  })
})
