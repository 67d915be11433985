import { displayWidth, type SafeText, sliceSafe, wrapText } from '@countersign/core'
import { cutText } from '@countersign/terminal/card'
import { type Io, say } from './io.ts'

const GAP = 2

/** Columns that lines of data may take: a terminal's own, or no limit when they go into a file or a pipe. */
export function dataColumns(io: Io): number {
  return io.isTty.stdout ? Math.max(20, io.columns) : Number.POSITIVE_INFINITY
}

/** Rows under each other in columns two spaces apart. The last cell takes what is left and is cut there. */
export function layTable(rows: readonly (readonly SafeText[])[], columns: number): readonly string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.slice(0, -1).entries()) widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell))
  return rows.map((row) => layRow(row, widths, columns))
}

/** One row in columns of given widths; a wider cell pushes the rest on. */
export function layRow(row: readonly SafeText[], widths: readonly number[], columns: number): string {
  let line = ''
  let used = 0
  for (const [at, cell] of row.entries()) {
    const isLast = at === row.length - 1 || used + displayWidth(cell) >= columns
    if (isLast) return `${line}${cutText(cell, columns - used)}`.trimEnd()
    const width = Math.max(displayWidth(cell), widths[at] ?? 0) + GAP
    line += `${cell}${' '.repeat(width - displayWidth(cell))}`
    used += width
  }
  return line.trimEnd()
}

/** A text broken at a width; the rows after the first stand `hang` columns further in. Nothing is left out. */
export function hangText(text: SafeText, columns: number, hang: number): readonly string[] {
  if (displayWidth(text) <= columns) return [text]
  const first = wrapText(text, columns)[0] ?? text
  const rest = wrapText(sliceSafe(text, first.length), Math.max(10, columns - hang))
  return [first, ...rest.map((row) => `${' '.repeat(hang)}${row}`)].map((row) => row.trimEnd())
}

/** Says a text to people, broken at the width of their terminal. */
export function sayText(io: Io, text: SafeText): void {
  const columns = io.isTty.stderr ? Math.max(20, io.columns) : Number.POSITIVE_INFINITY
  for (const row of hangText(text, columns, 2)) say(io, row)
}
