import { displayWidth, type SafeText, safeText } from '@countersign/core'
import { cutText } from '@countersign/terminal/card'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hangText, layRow, layTable } from './layout.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 120 }).map(safeText)
const columns = fc.integer({ min: 20, max: 120 })

describe('laying out lines', () => {
  it('aligns cells in columns', () => {
    const rows = [
      ['id', 'what'],
      ['3f2a91c0', 'runs'],
    ].map((row) => row.map(safeText))
    expect(layTable(rows, 80)).toEqual(['id        what', '3f2a91c0  runs'])
  })

  it('lets a wide cell push the others to the right', () => {
    expect(layRow(['decision-refused', 'x'].map(safeText), [9], 80)).toBe('decision-refused  x')
  })

  it('never makes the last cell wider than the space left', () => {
    fc.assert(
      fc.property(text, columns, (cell, width) => {
        expect(displayWidth(cutText(cell, width) as SafeText)).toBeLessThanOrEqual(width)
        if (displayWidth(cell) > width) expect(cutText(cell, width).endsWith('…')).toBe(true)
        else expect(cutText(cell, width)).toBe(cell)
      }),
      { examples: [[safeText(' \ua4d0\u{10280}\u0459 \u2e80 '), 22]] },
    )
  })

  it('omits nothing from an indented text', () => {
    fc.assert(
      fc.property(text, columns, (whole, width) => {
        const letters = (lines: readonly string[]) => lines.join('').replaceAll(' ', '')
        expect(letters(hangText(whole, width, 4))).toBe(letters([whole]))
      }),
    )
  })
})
