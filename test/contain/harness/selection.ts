import { createHash } from 'node:crypto'
import { type Row, readRows } from './row.ts'
import { isInstalled } from './run-steps.ts'

/** The full run takes every row; the test command takes the same part of them every time. */
export const IS_FULL = process.env['COUNTERSIGN_FULL'] === '1'

/** Rows whose programs are installed: all of them in a full run, else one in `part`; another `turn` takes others. */
export function selectRows(part: number, turn = 0): readonly Row[] {
  return readRows().filter((row) => {
    if (!(row.needs ?? []).every(isInstalled)) return false
    return IS_FULL || (createHash('sha256').update(row.id).digest()[0] ?? 0) % part === turn % part
  })
}
