import { describe, expect, it } from 'vitest'
import { createFreshnessChecks } from './file-freshness.ts'

function world() {
  const state = { now: 0, isFresh: true, checked: 0 }
  const checks = createFreshnessChecks(
    () => {
      state.checked += 1
      return state.isFresh
    },
    { monotonic: () => state.now },
  )
  return { state, checks }
}

describe('shared freshness checks', () => {
  it('are reused by callers that arrived before them, and by no others', () => {
    const { checks } = world()
    const [first, second] = [checks.arrive(), checks.arrive()]
    expect(checks.isCheckedSince(first)).toBe(false)
    checks.isFresh()
    expect(checks.isCheckedSince(first)).toBe(true)
    expect(checks.isCheckedSince(second)).toBe(true)
    expect(checks.isCheckedSince(checks.arrive())).toBe(false)
    expect(checks.isCheckedSince(Number.POSITIVE_INFINITY)).toBe(false)
  })

  it('are reused for two milliseconds', () => {
    const { checks, state } = world()
    const arrival = checks.arrive()
    checks.isFresh()
    state.now = 1.9
    expect(checks.isCheckedSince(arrival)).toBe(true)
    state.now = 2
    expect(checks.isCheckedSince(arrival)).toBe(false)
  })

  it('that found a change are never reused, nor are earlier ones', () => {
    const { checks, state } = world()
    const arrival = checks.arrive()
    checks.isFresh()
    state.isFresh = false
    expect(checks.isFresh()).toBe(false)
    expect(checks.isCheckedSince(arrival)).toBe(false)
  })
})
