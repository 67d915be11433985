import { describe, expect, it } from 'vitest'
import { diffRows, splitRows } from './diff-rows.ts'

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
})
