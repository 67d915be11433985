import { describe, expect, it } from 'vitest'
import { OUTCOMES } from '../outcome/outcome.ts'
import { receiptWords } from './decision.ts'

describe('the receipt text', () => {
  it.each([
    ['approved', 'Ana', 'approved by Ana'],
    ['rejected', 'Ana', 'rejected by Ana'],
    ['completed', 'Ana', 'approved by Ana, then completed'],
    ['failed', 'Ana', 'approved by Ana, then failed'],
    ['denied', 'Ana', 'approved by Ana, then denied by policy'],
    ['stale', 'Ana', 'approved by Ana, then stale'],
    ['denied', null, 'denied by policy'],
    ['expired', null, 'expired'],
  ])('for %s by %s is `%s`', (state, by, words) => {
    expect(receiptWords({ state, by })).toBe(words)
  })

  it('names no approver for an outcome nobody decided', () => {
    for (const state of OUTCOMES)
      expect(receiptWords({ state, by: 'Ana' })).toMatch(/^(?:approved|rejected) by Ana(?:, then [a-z ]+)?$/)
  })
})
