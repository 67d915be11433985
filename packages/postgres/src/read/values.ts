import { CountersignError } from '@countersign/core'
import type { Row } from '../connection/client.ts'

/** Stands before an escaped character. PostgreSQL stores every character but NUL. */
const SUB = '\x1a'

/** A text as it is stored. Half a surrogate pair becomes U+FFFD, as in SQLite. */
export function stored(text: string): string {
  const whole = text.toWellFormed()
  return whole.includes('\0') || whole.includes(SUB)
    ? whole.replaceAll(SUB, `${SUB}1`).replaceAll('\0', `${SUB}0`)
    : whole
}

export function storedOrNull(text: string | null): string | null {
  return text === null ? null : stored(text)
}

function original(text: string): string {
  return text.includes(SUB) ? text.replaceAll(`${SUB}0`, '\0').replaceAll(`${SUB}1`, SUB) : text
}

/** The columns of a row. Nothing in the database is trusted: a column of another type is damage. */
export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw damaged(column)
  return original(value)
}

export function count(row: Row | undefined, column: string): number {
  const value = row?.[column]
  if (typeof value !== 'number' || !Number.isFinite(value)) throw damaged(column)
  return value
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column)
}

export function countOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : count(row, column)
}

export function bytesOrNull(row: Row, column: string): Uint8Array | null {
  const value = row[column]
  if (value === null) return null
  if (value instanceof Uint8Array) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  throw damaged(column)
}

export function damaged(column: string): CountersignError {
  return new CountersignError(
    'CS_STORE_READ',
    `the store has a damaged row (column \`${column}\`); restore a backup and run \`countersign journal verify\``,
  )
}
