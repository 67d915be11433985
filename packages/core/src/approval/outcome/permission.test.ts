import { describe, expect, it } from 'vitest'
import { RISK_LEVELS, type RiskLevel } from '../../risk/report/level.ts'
import type { Judgement } from '../request/judgement.ts'
import { permissionOf, policyTightened } from './permission.ts'

const RULE = { id: 'r', file: 'policy.yaml', line: 3, layer: 'user' }

function judged(supervision: Judgement['supervision'], risk: RiskLevel = 'low', more: object = {}): Judgement {
  const verdict = { rule: RULE, reasons: ['at night'], ...more }
  const safety = { blocked: false, findings: [] }
  return { call: { id: 'c1' }, verdict, safety, supervision, risk: { level: risk } } as unknown as Judgement
}

const SHOWN = { supervision: 'confirm', risk: 'medium' } as const

describe('the permission of a judged call', () => {
  it.each([
    ['automatic', 'run'],
    ['notify', 'run'],
    ['confirm', 'ask'],
    ['manual', 'ask'],
  ] as const)('under %s, without an approval, is to %s', (supervision, permission) => {
    for (const level of RISK_LEVELS) expect(permissionOf(judged(supervision, level), null)).toBe(permission)
  })

  it.each([
    ['automatic', 'low', 'run'],
    ['confirm', 'medium', 'run'],
    ['manual', 'medium', 'ask'],
    ['confirm', 'high', 'ask'],
    ['automatic', 'high', 'ask'],
  ] as const)(
    'under %s at %s risk, after it was shown as confirm at medium, is to %s',
    (supervision, level, permission) => {
      expect(permissionOf(judged(supervision, level), SHOWN)).toBe(permission)
    },
  )

  it('is to ask again if a passkey is required now but was not when the call was shown', () => {
    const now = judged('confirm', 'medium', { passkey: true })
    expect(permissionOf(now, SHOWN)).toBe('ask')
    expect(permissionOf(now, { ...SHOWN, passkey: true })).toBe('run')
  })

  it('is to ask again if the call was shown with an unknown level', () => {
    expect(permissionOf(judged('confirm', 'none'), { supervision: 'confirm', risk: 'harmless' })).toBe('ask')
    expect(permissionOf(judged('automatic', 'medium'), { supervision: 'lax', risk: 'medium' })).toBe('ask')
  })

  it.each([null, { supervision: 'deny', risk: 'critical' } as const])(
    'is refused under deny, whatever was shown (L2)',
    (shown) => {
      expect(permissionOf(judged('deny'), shown)).toEqual({
        kind: 'refusal',
        callId: 'c1',
        outcome: 'denied',
        code: 'CS_DENIED',
        message: 'policy rule `r` denies this call (at night)',
        reason: null,
        rule: RULE,
      })
    },
  )

  it.each([null, SHOWN])('is refused if a check blocks the call, whatever was shown', (shown) => {
    const findings = [
      { checker: 'disk', status: 'fail', overridable: true, message: 'nearly full' },
      { checker: 'secrets', status: 'fail', overridable: false, message: 'a token' },
    ]
    const blocked = { ...judged('automatic'), safety: { blocked: true, findings } } as unknown as Judgement
    const message = 'safety check `secrets` failed: a token'
    expect(permissionOf(blocked, shown)).toMatchObject({ outcome: 'denied', code: 'CS_CHECK_BLOCKED', message })
  })
})

it('an approved call that now needs stricter supervision is stale', () => {
  expect(policyTightened('c1')).toMatchObject({ callId: 'c1', outcome: 'stale', code: 'CS_STALE', rule: null })
})
