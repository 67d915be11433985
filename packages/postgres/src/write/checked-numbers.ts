import { CountersignError } from '@countersign/core'
import type { FileNote } from './rows-to-write.ts'

/** The times in a note about files. */
export function timesOf(note: FileNote): readonly number[] {
  switch (note.kind) {
    case 'unrecorded':
      return [note.note.since]
    case 'changed':
      return [note.note.at, ...(note.note.installedSince === null ? [] : [note.note.installedSince])]
    case 'seen':
      return [note.note.at, ...(note.note.installedUntil === undefined ? [] : [note.note.installedUntil])]
  }
}

export function wholeOrNull(value: number | null, column: string): void {
  if (value !== null) whole(value, column)
}

/** A number that a column of whole numbers can't take concerns only its change. */
export function whole(value: number, column: string): void {
  if (!Number.isSafeInteger(value)) throw invalid(column)
}

export function finite(value: number, column: string): void {
  if (!Number.isFinite(value)) throw invalid(column)
}

function invalid(column: string): CountersignError {
  return new CountersignError(
    'CS_STORE_WRITE',
    `\`${column}\` is not a number that the store can keep; please report this`,
  )
}
