import type { DiffHunk } from '@countersign/core'
import { describe, expect, it } from 'vitest'
import { createPaint } from '../text/color.ts'
import { createRows } from '../text/rows.ts'
import { type DiffLook, hunkRows } from './diff.ts'

const HUNK: DiffHunk = {
  oldStart: 8,
  newStart: 9,
  lines: [
    { kind: 'same', text: 'one' },
    { kind: 'removed', text: 'two = "old"' },
    { kind: 'removed', text: 'gone' },
    { kind: 'added', text: 'two = "new"' },
    { kind: 'same', text: 'four' },
  ],
}

function draw(look: DiffLook, color = false, columns = 60): readonly string[] {
  const rows = createRows(columns, createPaint(color))
  hunkRows(HUNK, 'a.ts', rows, look)
  return rows.lines
}

describe('changed lines', () => {
  it('are listed in one column with their numbers', () => {
    expect(draw({})).toEqual([
      '  │  9   one',
      '  │  9 - two = "old"',
      '  │ 10 - gone',
      '  │ 10 + two = "new"',
      '  │ 11   four',
    ])
  })

  it('are listed side by side if there is room, removed lines next to their replacements', () => {
    expect(draw({ split: true }, false, 60)).toEqual([
      '  │  8   one                   │  9   one',
      '  │  9 - two = "old"           │ 10 + two = "new"',
      '  │ 10 - gone                  │',
      '  │ 11   four                  │ 11   four',
    ])
  })

  it('are coloured as old and new text, without changing a character', () => {
    const asked: (readonly string[])[] = []
    const painted = draw(
      {
        highlight(_, lines) {
          asked.push(lines)
          return lines.map((line) => (line.includes('"') ? [{ start: 6, end: 11, styles: ['yellow'] }] : []))
        },
      },
      true,
    )
    expect(asked).toEqual([
      ['one', 'two = "new"', 'four'],
      ['one', 'two = "old"', 'gone', 'four'],
    ])
    expect(painted[3]).toBe('\x1b[2m  │ \x1b[0m\x1b[32m10 + \x1b[0mtwo = \x1b[33m"new"\x1b[0m')
    expect(painted.map((line) => line.replaceAll(/\x1b\[[0-9;]*m/g, ''))).toEqual(draw({}))
  })
})
