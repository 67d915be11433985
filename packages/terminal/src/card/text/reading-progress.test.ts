import { safeText } from '@countersign/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPaint } from './color.ts'
import { rowsRead } from './reading-progress.ts'
import { createRows, paragraph } from './rows.ts'

const TEXTS = Array.from({ length: 30 }, (_, at) => `${at}: ${'some words of one line '.repeat(at % 7)}`)

function laid(columns: number, color = false): readonly string[] {
  const rows = createRows(columns, createPaint(color))
  rows.field('label', [paragraph('a field that is beside its label or below it')])
  rows.block(TEXTS.map((text) => ({ text: safeText(text) })))
  return rows.lines
}

const count = (rows: readonly string[]): number => rows.join('').replaceAll(/[\s│]/g, '').length

describe('the reading progress after a new layout', () => {
  it('is complete if it was complete, at every width and in every colour', () => {
    for (const columns of [20, 40, 61, 120, 300])
      expect(rowsRead(laid(80), laid(columns, true))).toBe(laid(columns).length)
  })

  it('is never more text than before, and at most one row less', () => {
    const width = fc.integer({ min: 20, max: 200 })
    fc.assert(
      fc.property(width, width, fc.nat(), (from, to, much) => {
        const before = laid(from)
        const read = before.slice(0, much % (before.length + 1))
        const after = laid(to)
        const now = rowsRead(read, after)
        expect(count(after.slice(0, now))).toBeLessThanOrEqual(count(read))
        expect(count(after.slice(0, now + 1))).toBeGreaterThanOrEqual(Math.min(count(read), count(after)))
      }),
    )
  })

  it('ends where the text differs', () => {
    expect(rowsRead(['a', 'b', '••••', 'c'], ['a', 'b', 'secret', 'c'])).toBe(2)
  })
})
