import { displayWidth, type SafeText, sliceSafe, wrapText } from '@countersign/core'
import { cutText } from '@countersign/terminal/card'
import { type Io, say } from './io.ts'

const GAP = 2

/** Maximum width of data lines: that of the terminal, or unlimited for files and pipes. */
export function dataColumns(io: Io): number {
  return io.isTty.stdout ? Math.max(20, io.columns) : Number.POSITIVE_INFINITY
}

/** A table with columns two spaces apart. The last cell is cut to the remaining width. */
export function layTable(rows: readonly (readonly SafeText[])[], columns: number): readonly string[] {
  const widths: number[] = []
  for (const row of rows)
    for (const [at, cell] of row.slice(0, -1).entries()) widths[at] = Math.max(widths[at] ?? 0, displayWidth(cell))
  return rows.map((row) => layRow(row, widths, columns))
}

/** One table row; a cell wider than its column shifts the rest. */
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

/** Wraps a text; rows after the first are indented by `hang` columns. */
export function hangText(text: SafeText, columns: number, hang: number): readonly string[] {
  if (displayWidth(text) <= columns) return [text]
  const first = wrapText(text, columns)[0] ?? text
  const rest = wrapText(sliceSafe(text, first.length), Math.max(10, columns - hang))
  return [first, ...rest.map((row) => `${' '.repeat(hang)}${row}`)].map((row) => row.trimEnd())
}

/** Writes a message to stderr, wrapped to the width of the terminal. */
export function sayText(io: Io, text: SafeText): void {
  const columns = io.isTty.stderr ? Math.max(20, io.columns) : Number.POSITIVE_INFINITY
  for (const row of hangText(text, columns, 2)) say(io, row)
}
