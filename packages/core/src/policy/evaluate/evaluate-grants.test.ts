import { describe, expect, it } from 'vitest'
import { judge, someCall, someGrant, someRisk, someRule } from '../../../../../test/model/case.ts'

describe('grants', () => {
  const medium = someRisk({ level: 'medium' })
  const grants = [someGrant()]

  it('turn confirm into automatic and name the grant', () => {
    const verdict = judge({ risk: medium, now: { grants } })
    expect(verdict).toMatchObject({ supervision: 'automatic', grant: 'g1', rule: { id: 'preset.balanced.medium' } })
    expect(verdict.reasons.at(-1)).toBe('grant `g1` replaces the confirmation')
  })

  it('do not cover manual, high risk, or calls under a floor (scenario 50)', () => {
    expect(judge({ risk: medium, now: { grants }, rules: [someRule({}, { supervision: 'manual' })] })).toMatchObject({
      supervision: 'manual',
      grant: null,
    })
    expect(judge({ risk: someRisk({ level: 'high' }), now: { grants } })).toMatchObject({
      supervision: 'confirm',
      grant: null,
    })
    const floor = someRule({}, { id: 'floor', floor: true, supervision: 'confirm' })
    expect(judge({ risk: medium, now: { grants }, rules: [floor] })).toMatchObject({
      supervision: 'confirm',
      grant: null,
      rule: { id: 'floor' },
    })
    const seen = someRule({}, { id: 'floor', floor: true, supervision: 'notify' })
    expect(judge({ risk: medium, now: { grants }, rules: [seen] })).toMatchObject({
      supervision: 'notify',
      grant: 'g1',
    })
  })

  it('with limited uses are spared if another grant covers the call', () => {
    const counted = someGrant({ id: 'a', lifetime: { kind: 'uses', uses: 1 } })
    expect(judge({ risk: medium, now: { grants: [counted, someGrant({ id: 'z' })] } }).grant).toBe('z')
  })
})

describe('limits', () => {
  const limit = { name: 'calls', most: 2, windowMs: null, layer: 'user', file: 'policy.yaml', line: 3 } as const

  it('hold the first call that would exceed them, and not the one before (scenario 70)', () => {
    expect(judge({ set: { limits: [limit] }, now: { counters: { calls: 1 } } })).toMatchObject({
      supervision: 'automatic',
      limit: null,
    })
    expect(judge({ set: { limits: [limit] }, now: { counters: { calls: 2 } } })).toMatchObject({
      supervision: 'confirm',
      limit: 'calls',
      rule: { id: 'limits.calls', line: 3 },
    })
  })

  it('include the files and lines that the call itself would add', () => {
    const limits = [{ ...limit, name: 'lines' as const, most: 3 }]
    const call = someCall({ args: { content: 'a\nb\nc\nd' } })
    expect(judge({ call, set: { limits }, now: { counters: { lines: 0 } } }).limit).toBe('lines')
  })

  it('are not lifted by a grant, and count as exceeded if usage is unknown', () => {
    const now = { counters: {}, grants: [someGrant()] }
    expect(judge({ risk: someRisk({ level: 'medium' }), set: { limits: [limit] }, now })).toMatchObject({
      supervision: 'confirm',
      limit: 'calls',
      grant: null,
    })
  })
})
