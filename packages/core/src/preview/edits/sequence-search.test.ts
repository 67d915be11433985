import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSequence } from './sequence-search.ts'

describe('finding a sequence', () => {
  it('finds the same places as split', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 30 })
    const wanted = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(text, wanted, (items, sought) => {
        const expected: number[] = []
        for (let at = items.indexOf(sought); at !== -1; at = items.indexOf(sought, at + sought.length))
          expected.push(at)
        expect(findSequence(items, sought)).toEqual(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('searches lines from a given position', () => {
    expect(findSequence(['a', 'b', 'a', 'b'], ['a', 'b'], 1)).toEqual([2])
    expect(findSequence(['a'], [])).toEqual([])
  })

  it('answers at once where the engine’s own search takes minutes', () => {
    const wanted = `${'a'.repeat(250_000)}b${'a'.repeat(250_000)}`
    expect(findSequence('a'.repeat(1_000_000), wanted)).toEqual([])
  })
})
