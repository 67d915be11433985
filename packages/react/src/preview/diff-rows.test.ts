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

describe('rows of a diff', () => {
  it('have old and new line numbers', () => {
    expect(diffRows(hunk).map((row) => [row.old, row.new])).toEqual([
      [4, 4],
      [5, null],
      [null, 5],
      [null, 6],
      [6, 7],
    ])
  })

  it('mark where a replaced line differs', () => {
    const [, removed, added] = diffRows({ ...hunk, lines: hunk.lines.filter(({ text }) => text !== 'more') })
    const middle = (row: typeof removed) => row?.text.slice(row.changed?.start, row.changed?.end)
    expect([middle(removed), middle(added)]).toEqual(['0.2', 'vatOf(country)'])
  })

  it('pair up side by side without losing a line', () => {
    const pairs = splitRows(diffRows(hunk))
    expect(pairs.map(([left, right]) => [left?.text ?? null, right?.text ?? null])).toEqual([
      ['a', 'a'],
      ['const vat = 0.2', 'const vat = vatOf(country)'],
      [null, 'more'],
      ['z', 'z'],
    ])
  })

  it('can be sliced across hunks without losing a line', () => {
    const hunks = [diffRows(hunk), diffRows({ ...hunk, oldStart: 40, newStart: 41 })]
    const cut = [...stretchOf(hunks, 0, 3), ...stretchOf(hunks, 3, 7), ...stretchOf(hunks, 7, 10)]
    expect(cut.map((rows) => rows.length)).toEqual([3, 2, 2, 3])
    expect(cut.flat()).toEqual(hunks.flat())
  })

  it('count more when they are long', () => {
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
