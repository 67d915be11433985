import { CountersignError, type ErrorCode } from '@countersign/core'

/** Primary result codes of SQLite that a person can do something about. */
const ADVICE: { readonly [code: number]: string } = {
  5: 'another process holds it for too long; find it with `lsof` and try again',
  8: 'it is read-only; make the file and its folder writable for this account',
  10: 'the disk failed; check the disk and the system log',
  11: 'it is damaged; keep a copy, then restore a backup and run `countersign journal verify`',
  13: 'the disk is full; free some space and try again',
  14: 'the file or its folder cannot be opened; check that it exists and belongs to this account',
  26: 'it is not a Countersign store; move it away or restore a backup',
}

/** What SQLite threw, as one line that says what to do. Ours stay as they are. */
export function storeError(error: unknown, code: ErrorCode, doing: string): CountersignError {
  if (error instanceof CountersignError) return error
  const advice = ADVICE[resultCode(error)] ?? 'please report this'
  const detail = resultCode(error) in ADVICE ? '' : ` (${oneLine(error)})`
  return new CountersignError(code, `${doing}: ${advice}${detail}`, { cause: error })
}

/** Whether another connection holds the lock. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === 5
}

function resultCode(error: unknown): number {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode & 0xff : 0
}

function oneLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').slice(0, 200)
}
