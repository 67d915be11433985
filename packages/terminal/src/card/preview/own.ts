import {
  assertNever,
  countedWords,
  displayWidth,
  imageWords,
  type OwnPart,
  type Preview,
  type SafeText,
  safeText,
} from '@countersign/core'
import type { Paint } from '../text/color.ts'
import { jsonLines, valueLines } from '../text/json-lines.ts'
import { createRows, type Fold, type Paragraph, paragraph, type Rows } from '../text/rows.ts'
import type { DiffLook } from './diff.ts'
import { diffRows, noteRows } from './files.ts'

const TEXT_FOLD: Fold = { head: 60, tail: 20 }

/** A tool's own preview, part by part. */
export function ownRows({ parts, notes }: Extract<Preview, { kind: 'own' }>, rows: Rows, look: DiffLook): void {
  noteRows(notes, rows)
  for (const [at, part] of parts.entries()) {
    if (at > 0) rows.gap()
    partRows(part, rows, look)
  }
}

/** A tool's own preview alone, without a card. */
export function ownPreviewLines(
  preview: Extract<Preview, { kind: 'own' }>,
  { columns, paint }: { readonly columns: number; readonly paint: Paint },
): readonly string[] {
  const rows = createRows(columns, paint, null)
  ownRows(preview, rows, {})
  return rows.lines
}

function partRows(part: OwnPart, rows: Rows, look: DiffLook): void {
  switch (part.kind) {
    case 'text':
      rows.block(valueLines(part.text), TEXT_FOLD)
      return
    case 'diff':
      diffRows(part, rows, look)
      return
    case 'table':
      tableRows(part, rows)
      return
    case 'fields':
      for (const { name, value } of part.fields) fieldRows(name, value, rows)
      return
    case 'image':
      rows.text(paragraph(imageWords(part)).text, { styles: ['cyan'] })
      rows.text(paragraph(part.alt === '' ? 'shown in the inbox' : `${part.alt} (shown in the inbox)`).text)
      return
    case 'json':
      rows.block(jsonLines(part.value), TEXT_FOLD)
      return
    default:
      assertNever(part)
  }
}

const SHORT = 60
const LABEL = 11

function fieldRows(name: string, value: Parameters<typeof valueLines>[0], rows: Rows): void {
  const isShort = typeof value === 'string' ? value.length <= SHORT && !value.includes('\n') : isPlain(value)
  if (isShort) {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const label = safeText(name)
    if (displayWidth(label) <= LABEL) rows.field(label, [paragraph(text)])
    else rows.text(paragraph(`${name}: ${text}`).text)
    return
  }
  rows.text(paragraph(`${name}:`).text)
  rows.block(valueLines(value), TEXT_FOLD)
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null
}

const WIDEST_CELL = 24
const GAP = 2

/** Columns as wide as their cells; a long cell has the rest of its text in the inbox and the details. */
function tableRows(
  { columns, rows: cells, moreRows, moreColumns }: Extract<OwnPart, { kind: 'table' }>,
  rows: Rows,
): void {
  const lines = [columns, ...cells].map((row) => row.map((cell) => safeText(cell)))
  const count = lines.reduce((most, row) => Math.max(most, row.length), 0)
  const widths = Array.from({ length: count }, (_, at) =>
    Math.min(WIDEST_CELL, Math.max(...lines.map((row) => displayWidth(row[at] ?? ('' as SafeText))))),
  )
  const drawn = lines.map(
    (row): Paragraph => ({ text: row.map((cell, at) => padded(cell, widths[at] ?? 0)).join('') as SafeText }),
  )
  const [head, ...body] = drawn
  if (head !== undefined && columns.length > 0) rows.block([{ ...head, styles: ['bold'] }, ...body], TEXT_FOLD)
  else rows.block(body, TEXT_FOLD)
  if (moreRows > 0) rows.text(paragraph(`and ${countedWords(moreRows, 'more row')}`).text, { styles: ['yellow'] })
  if (moreColumns > 0)
    rows.text(paragraph(`and ${countedWords(moreColumns, 'more column')}`).text, { styles: ['yellow'] })
}

/** INVARIANT: L5 a cell is never cut: a longer one moves the cells after it. */
function padded(cell: SafeText, width: number): string {
  return `${cell}${' '.repeat(Math.max(0, width - displayWidth(cell)) + GAP)}`
}
