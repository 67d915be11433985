import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance, suggest } from './spelling-suggestion.ts'

const word = fc.string({ unit: fc.constantFrom(...'abcd_'), maxLength: 8 })

describe('edit distance', () => {
  it.each([
    ['tool', 'tool', 0],
    ['tol', 'tool', 1],
    ['otol', 'tool', 1],
    ['', 'abc', 3],
    ['kitten', 'sitting', 3],
  ])('from %s to %s is %d', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance)
  })

  it('is symmetric and at most the length of the longer word', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a))
        expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
        expect(editDistance(a, b) === 0).toBe(a === b)
      }),
    )
  })
})

describe('a suggestion', () => {
  const keys = ['supervision', 'up_to', 'tool', 'at_least', 'readOnlyHint', 'kind']

  it.each([
    ['suprvision', 'supervision'],
    ['upTo', 'up_to'],
    ['AT-LEAST', 'at_least'],
    ['atleast', 'at_least'],
    ['readOnly', 'readOnlyHint'],
    ['knid', 'kind'],
  ])('for %s is %s', (typed, meant) => {
    expect(suggest(typed, keys)).toBe(meant)
  })

  it.each(['', 'xyz', 'allow', 'frobnicate', 'a'.repeat(10_000)])('is not made for %s', (typed) => {
    expect(suggest(typed, keys)).toBeUndefined()
  })
})
