import { safeText, wrapText } from '@countersign/core'
import fc from 'fast-check'
import { Box, renderToString } from 'ink'
import { createElement } from 'react'
import { describe, expect, it } from 'vitest'
import { Line } from './line.tsx'

const COLUMNS = 24

function draw(row: string): string {
  return renderToString(createElement(Box, { width: COLUMNS }, createElement(Line, null, row)), { columns: COLUMNS })
}

describe('a fitted row', () => {
  it('is drawn to the last character, whatever it contains (L5)', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.string({
        unit: fc.constantFrom(
          '👩‍👩‍👧',
          '🇦🇹',
          '한',
          'ｱ',
          '️',
          '☎',
          '✔',
          'é',
          '①',
          '—',
          'ᅡ',
          'ힰ',
          '☰',
          '䷀',
          '〈',
          '𝌀',
          'a',
          ' ',
        ),
        maxLength: 60,
      }),
    )
    fc.assert(
      fc.property(text, (given) => {
        for (const row of wrapText(safeText(given), COLUMNS))
          if (!row.includes('…')) expect(draw(row).trimEnd()).toBe(row.trimEnd() === '' ? '' : row.trimEnd())
      }),
      { numRuns: 150 },
    )
  })
})
