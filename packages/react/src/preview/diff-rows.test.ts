import { describe, expect, it } from 'vitest'
import { diffRows, drawnRows, splitRows, stretchOf } from './diff-rows.ts'

const hunk = {
  oldStart: 4,
  newStart: 4,
  lines: [
    { kind: 'same', text: 'a' },
    { kind: 'removed', text: 'const vat = 0.2' },
    { kind: 'added', text: 'const vat = vatOf(country)' },
    { kind: 'added', text: 'more' },
    { kind: 'same', text: 'z' },
  ],
} as const

describe('lines of a change', () => {
  it('have the numbers of before and after', () => {
    expect(diffRows(hunk).map((row) => [row.old, row.new])).toEqual([
      [4, 4],
      [5, null],
      [null, 5],
      [null, 6],
      [6, 7],
    ])
  })

  it('say where two lines that replace each other differ', () => {
    const [, removed, added] = diffRows({ ...hunk, lines: hunk.lines.filter(({ text }) => text !== 'more') })
    const middle = (row: typeof removed) => row?.text.slice(row.changed?.start, row.changed?.end)
    expect([middle(removed), middle(added)]).toEqual(['0.2', 'vatOf(country)'])
  })

  it('stand side by side without losing one', () => {
    const pairs = splitRows(diffRows(hunk))
    expect(pairs.map(([left, right]) => [left?.text ?? null, right?.text ?? null])).toEqual([
      ['a', 'a'],
      ['const vat = 0.2', 'const vat = vatOf(country)'],
      [null, 'more'],
      ['z', 'z'],
    ])
  })

  it('are cut across hunks without losing one', () => {
    const hunks = [diffRows(hunk), diffRows({ ...hunk, oldStart: 40, newStart: 41 })]
    const cut = [...stretchOf(hunks, 0, 3), ...stretchOf(hunks, 3, 7), ...stretchOf(hunks, 7, 10)]
    expect(cut.map((rows) => rows.length)).toEqual([3, 2, 2, 3])
    expect(cut.flat()).toEqual(hunks.flat())
  })

  it('count for more when they are long', () => {
    const rows = diffRows({
      ...hunk,
      lines: [
        { kind: 'added', text: 'x'.repeat(3_500) },
        { kind: 'added', text: '' },
      ],
    })
    expect(drawnRows([rows])).toBe(5)
  })
})
