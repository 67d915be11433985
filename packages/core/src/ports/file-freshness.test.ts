import { describe, expect, it } from 'vitest'
import { createFreshnessChecks } from './file-freshness.ts'

function world() {
  const state = { now: 0, isFresh: true, looked: 0 }
  const looks = createFreshnessChecks(
    () => {
      state.looked += 1
      return state.isFresh
    },
    { monotonic: () => state.now },
  )
  return { state, looks }
}

describe('shared looks', () => {
  it('serve those who came before them, and nobody who came after', () => {
    const { looks } = world()
    const [first, second] = [looks.arrive(), looks.arrive()]
    expect(looks.isCheckedSince(first)).toBe(false)
    looks.isFresh()
    expect(looks.isCheckedSince(first)).toBe(true)
    expect(looks.isCheckedSince(second)).toBe(true)
    expect(looks.isCheckedSince(looks.arrive())).toBe(false)
    expect(looks.isCheckedSince(Number.POSITIVE_INFINITY)).toBe(false)
  })

  it('serve for two milliseconds', () => {
    const { looks, state } = world()
    const arrival = looks.arrive()
    looks.isFresh()
    state.now = 1.9
    expect(looks.isCheckedSince(arrival)).toBe(true)
    state.now = 2
    expect(looks.isCheckedSince(arrival)).toBe(false)
  })

  it('that found another policy serve nobody, and undo those before', () => {
    const { looks, state } = world()
    const arrival = looks.arrive()
    looks.isFresh()
    state.isFresh = false
    expect(looks.isFresh()).toBe(false)
    expect(looks.isCheckedSince(arrival)).toBe(false)
  })
})
