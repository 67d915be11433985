import { describe, expect, it } from 'vitest'
import { OUTCOMES } from '../outcome/outcome.ts'
import { receiptWords } from './decision.ts'

describe('the words of a receipt', () => {
  it.each([
    ['approved', 'Ana', 'approved by Ana'],
    ['rejected', 'Ana', 'rejected by Ana'],
    ['completed', 'Ana', 'approved by Ana, then completed'],
    ['failed', 'Ana', 'approved by Ana, then failed'],
    ['denied', 'Ana', 'approved by Ana, then denied by policy'],
    ['stale', 'Ana', 'approved by Ana, then stale'],
    ['denied', null, 'denied by policy'],
    ['expired', null, 'expired'],
  ])('of %s under the name %s are `%s`', (state, by, words) => {
    expect(receiptWords({ state, by })).toBe(words)
  })

  it('name nobody for an outcome they did not decide', () => {
    for (const state of OUTCOMES)
      expect(receiptWords({ state, by: 'Ana' })).toMatch(/^(?:approved|rejected) by Ana(?:, then [a-z ]+)?$/)
  })
})
