import { safeLines } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { textRows } from './code-block.tsx'

const joined = (text: string): string =>
  textRows(safeLines(text))
    .map((row) => (row.kind === 'text' ? row.text : '\n'.repeat(row.count - 1)))
    .join('')

describe('rows of a long text', () => {
  it('split long lines without losing text or breaking marks and surrogate pairs', () => {
    for (const unit of ['x', '😀', 'a\u202eb', 'éé\u200b', '\u05d0\u05d1 ']) {
      const text = unit.repeat(3_000)
      expect(joined(text)).toBe(safeLines(text).join(''))
      for (const row of textRows(safeLines(text))) {
        expect(row.kind === 'text' && row.text.isWellFormed()).toBe(true)
        if (row.kind === 'text') expect(row.text.split('⟦').length).toBe(row.text.split('⟧').length)
        if (row.kind === 'text') expect(row.text.split('⟦RTL⟧').length).toBe(row.text.split('⟦LTR⟧').length)
      }
    }
  })

  it('replace many blank lines by their count, so that they push nothing out of sight', () => {
    const rows = textRows(safeLines(`first${'\n'.repeat(500)}rm -rf /`))
    expect(rows).toMatchObject([{ text: 'first' }, { kind: 'blank', count: 499 }, { text: 'rm -rf /' }])
  })

  it('keep a few blank lines', () => {
    expect(textRows(safeLines('a\n\n\nb'))).toHaveLength(4)
  })
})
