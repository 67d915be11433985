import { describe, expect, it } from 'vitest'
import type { RiskLevel } from '../risk/level.ts'
import { loadPolicyFile } from './load-file.ts'
import { passkeyFrom, withPasskey } from './passkey-demand.ts'
import type { PolicySet } from './rule.ts'
import type { Verdict } from './verdict.ts'

const read = (layer: 'user' | 'managed' | 'project', text: string) =>
  loadPolicyFile({ layer, name: 'policy.yaml', text: `version: 1\n${text}\n` }, { checkers: [] })

describe('a policy that demands a passkey', () => {
  it('says from which risk on', () => {
    expect(read('user', 'defaults: { passkey: high }')).toMatchObject({ kind: 'loaded', passkeyFrom: 'high' })
    expect(read('managed', 'defaults: { passkey: critical }')).toMatchObject({ passkeyFrom: 'critical' })
    expect(read('user', 'defaults: { timeout: 5m }')).toMatchObject({ passkeyFrom: null })
  })

  it('is not a project’s, and names a risk', () => {
    expect(read('project', 'defaults: { passkey: high }')).toMatchObject({
      kind: 'refused',
      problems: [{ line: 2, message: expect.stringContaining('not by a project') }],
    })
    expect(read('user', 'defaults: { passkey: always }')).toMatchObject({ kind: 'refused' })
  })

  it('holds from the lowest level that any file names', () => {
    expect(passkeyFrom([{ passkeyFrom: 'critical' }, { passkeyFrom: null }, { passkeyFrom: 'high' }])).toBe('high')
    expect(passkeyFrom([{ passkeyFrom: null }])).toBeUndefined()
  })

  it.each<[RiskLevel, boolean]>([
    ['none', false],
    ['medium', false],
    ['high', true],
    ['critical', true],
  ])('at high asks for one at %s: %s', (level, demanded) => {
    const verdict = withPasskey({ reasons: [] } as unknown as Verdict, { passkeyFrom: 'high' } as PolicySet, level)
    expect(verdict.passkey === true).toBe(demanded)
    expect(verdict.reasons).toEqual(demanded ? ['from risk high on only a passkey approves'] : [])
  })
})
