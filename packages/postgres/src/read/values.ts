import { createRowReader } from '@countersign/core'

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

/** Reads rows: `stored` is undone. */
export const reader = createRowReader(original)

export const { text, textOrNull } = reader

export { count } from '@countersign/core'
