import { describe, expect, it } from 'vitest'
import type { Verdict } from '../model/verdict.ts'
import { withCallerTimeout } from './adjust-verdict.ts'

const verdict = { supervision: 'confirm', timeoutMs: 60_000 } as Verdict

describe('a caller’s timeout', () => {
  it.each([
    [undefined, 60_000],
    [2_000, 2_000],
    [60_000, 60_000],
    [600_000, 60_000],
  ])('of %s ms leaves a deadline of %i ms: it can only shorten it', (patience, deadline) => {
    expect(withCallerTimeout(verdict, patience).timeoutMs).toBe(deadline)
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5s', null])('of %s is refused', (patience) => {
    expect(() => withCallerTimeout(verdict, patience)).toThrow(/whole number of milliseconds/)
  })
})
