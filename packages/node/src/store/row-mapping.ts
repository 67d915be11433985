import type { SQLOutputValue } from 'node:sqlite'
import { createRowReader } from '@countersign/core'

/** A row as SQLite returns it. */
export type Row = { readonly [column: string]: SQLOutputValue }

/** Reads rows of the SQLite store. */
export const { callOf, changeOf, checkpointOf, entryOf, grantOf, headOf, spanOf, text, textOrNull } = createRowReader()

export { count } from '@countersign/core'
