import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { safeText } from './escape.ts'
import { displayWidth, wrapText } from './wrap.ts'

describe('wrapping', () => {
  it.each([
    ['a short line', 20, ['a short line']],
    ['one two three', 8, ['one two ', 'three']],
    ['abcdefghij', 4, ['abcd', 'efgh', 'ij']],
    ['aa bbbbbbbb', 4, ['aa ', 'bbbb', 'bbbb']],
    ['文字文字', 5, ['文字', '文字']],
    ['ab\u202ecd', 9, ['ab', '⟦U+202E⟧c', 'd']],
    ['cat \u05d0\u05d1 x', 13, ['cat ', '⟦RTL⟧\u05d0\u05d1⟦LTR⟧ ', 'x']],
    ['', 10, ['']],
    ['文', 1, ['文']],
  ])('breaks %j at %d columns', (text, columns, rows) => {
    expect(wrapText(safeText(text), columns)).toEqual(rows)
  })

  it('never drops a character and never exceeds the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 2, max: 40 }), (text, columns) => {
        const safe = safeText(text)
        const rows = wrapText(safe, columns)
        expect(rows.join('')).toBe(safe)
        for (const row of rows) expect(displayWidth(row)).toBeLessThanOrEqual(columns)
      }),
      { numRuns: 1000 },
    )
  })

  it.each([
    ['abc', 3],
    ['文字', 4],
    ['e\u0301', 1],
    ['😀', 2],
    ['Ａ', 2],
    ['\u001b', 5],
  ])('measures %j as %d columns', (text, columns) => {
    expect(displayWidth(safeText(text))).toBe(columns)
  })
})
