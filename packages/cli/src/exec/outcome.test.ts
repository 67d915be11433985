import { type ErrorCode, OUTCOMES, type Refusal } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { refusalCode } from './outcome.ts'

function refused(outcome: Refusal['outcome'], code: ErrorCode = 'CS_DENIED'): Refusal {
  return { kind: 'refusal', callId: 'x', outcome, code, message: 'm', reason: null, rule: null }
}

describe('the exit code of a refusal', () => {
  it.each([
    ['rejected', 120],
    ['denied', 121],
    ['expired', 122],
    ['withdrawn', 123],
    ['stale', 123],
    ['refused', 125],
    ['unknown', 125],
  ] as const)('for %s is %i', (outcome, code) => {
    expect(OUTCOMES).toContain(outcome)
    expect(refusalCode(refused(outcome))).toBe(code)
  })

  it('is 124 if nobody could be asked', () => {
    expect(refusalCode(refused('withdrawn', 'CS_NO_INTERFACE'))).toBe(124)
  })
})
