import { type Preview, safeJson, safeLines } from '@countersign/core'
import { type Fold, paragraph, type Rows } from '../text/rows.ts'
import { noteRows } from './files.ts'

/** A value up to this long stands beside its name; a longer one below it. */
const SHORT = 60
const VALUE_FOLD: Fold = { head: 40, tail: 20 }

/** A query: its text, where it goes, and what it does there. */
export function queryRows(preview: Extract<Preview, { kind: 'query' }>, rows: Rows): void {
  const { store, target } = preview
  rows.block(safeLines(preview.sql).map((text) => ({ text, styles: ['bold'] as const })))
  rows.gap()
  rows.field('asks', [paragraph(target === null || target === store ? store : `${store}, on ${target}`)])
}

/** A request: its verb, its address, and the host on a line of its own. */
export function httpRows(preview: Extract<Preview, { kind: 'http' }>, rows: Rows): void {
  rows.block([paragraph(`${preview.method ?? 'sends to'} ${preview.url}`, 'bold')])
  rows.gap()
  rows.field('host', [paragraph(preview.host)])
  noteRows(preview.notes, rows)
}

/** Each argument with its type. */
export function argumentRows(preview: Extract<Preview, { kind: 'arguments' }>, rows: Rows): void {
  noteRows(preview.notes, rows)
  for (const { name, type, value } of preview.fields) {
    const text = JSON.stringify(value)
    if (text.length <= SHORT) {
      rows.text(paragraph(`${name} (${type}): ${text}`).text)
      continue
    }
    rows.text(paragraph(`${name} (${type}):`).text)
    rows.block(
      (typeof value === 'string' ? safeLines(value) : safeJson(value)).map((line) => ({ text: line })),
      VALUE_FOLD,
    )
  }
}
