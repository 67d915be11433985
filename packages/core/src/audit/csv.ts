import { safeText } from '../display/escape.ts'
import { cutText } from '../journal/entry.ts'

/** Spreadsheets take at most 32,767 characters in a cell. */
const MOST_IN_A_CELL = 2000

/** A text as long as a cell may be; the length of a longer one follows. */
export function cutCell(text: string): string {
  return cutText(text, MOST_IN_A_CELL)
}

/** So that spreadsheets read the file as UTF-8. */
export const CSV_START = '\ufeff'

/**
 * SECURITY: A12 what a spreadsheet would run as a formula, at the start of a cell and after a semicolon, where spreadsheets in
 * some languages split cells, quoted or not. Tabs and line breaks are marks by then.
 */
const FORMULA = /(^|;)(["'\s]*)(?=[=+\-@＝＋－＠])/gu

/**
 * One row of a CSV file (RFC 4180, every cell in quotes). Control and invisible characters become visible marks, and a cell
 * that a spreadsheet would run as a formula begins with an apostrophe.
 *
 * @example
 * csvRow(['=1+1', 'say "hi"', 7]) // "'=1+1","say ""hi""","7"
 */
export function csvRow(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

function cellOf(value: string | number | null | undefined): string {
  if (typeof value === 'number') return `"${value}"`
  const text = safeText(cutCell(value ?? ''))
  return `"${text.replace(FORMULA, "$1$2'").replaceAll('"', '""')}"`
}
