import { CountersignError } from '../errors.ts'
import type { ChangeKind, StoredFileChange } from '../ports/changes.ts'
import {
  CALL_STATES,
  type JournalHead,
  type Span,
  type StoredCall,
  type StoredEntry,
  type StoredGrant,
} from '../ports/store.ts'

/** A row as a database's driver returns it. */
export type DatabaseRow = { readonly [column: string]: unknown }

const KINDS: readonly ChangeKind[] = ['written', 'deleted', 'moved']

/**
 * Reads rows of a store. Nothing in the database is trusted: a column of another type is damage. `original` undoes what a
 * store does to a text before it writes it.
 */
export function createRowReader(original: (text: string) => string = (text) => text) {
  function text(row: DatabaseRow | undefined, column: string): string {
    const value = row?.[column]
    if (typeof value !== 'string') throw damagedRow(column)
    return original(value)
  }

  const textOrNull = (row: DatabaseRow, column: string) => (row[column] === null ? null : text(row, column))

  return Object.freeze({
    text,
    textOrNull,
    callOf(row: DatabaseRow): StoredCall {
      const state = CALL_STATES.find((one) => one === row['state'])
      const mode = row['mode']
      if (state === undefined || (mode !== 'ask' && mode !== 'submit')) throw damagedRow('state')
      return {
        id: text(row, 'id'),
        session: textOrNull(row, 'session'),
        state,
        owner: text(row, 'owner'),
        mode,
        tool: text(row, 'tool'),
        agent: text(row, 'agent'),
        risk: text(row, 'risk'),
        supervision: text(row, 'supervision'),
        rule: text(row, 'rule'),
        callDigest: text(row, 'callDigest'),
        requestDigest: textOrNull(row, 'requestDigest'),
        summary: text(row, 'summary'),
        sealed: bytesOrNull(row, 'sealed'),
        openedAt: count(row, 'openedAt'),
        expiresAt: countOrNull(row, 'expiresAt'),
        decision: textOrNull(row, 'decision'),
        outcome: textOrNull(row, 'outcome'),
        closedAt: countOrNull(row, 'closedAt'),
        contain: textOrNull(row, 'contain'),
      }
    },
    grantOf: (row: DatabaseRow): StoredGrant => ({
      id: text(row, 'id'),
      session: textOrNull(row, 'session'),
      body: text(row, 'body'),
      decision: text(row, 'decision'),
      uses: count(row, 'uses'),
      maxUses: countOrNull(row, 'maxUses'),
      expiresAt: countOrNull(row, 'expiresAt'),
      revokedAt: countOrNull(row, 'revokedAt'),
    }),
    entryOf: (row: DatabaseRow): StoredEntry => ({
      seq: count(row, 'seq'),
      line: text(row, 'line'),
      leaf: text(row, 'leaf'),
    }),
    spanOf: (row: DatabaseRow): Span => ({
      from: count(row, 'from'),
      to: count(row, 'to'),
      nodes: text(row, 'nodes'),
    }),
    checkpointOf: (row: DatabaseRow) => ({ size: count(row, 'size'), note: text(row, 'note') }),
    headOf: (row: DatabaseRow): JournalHead => ({ size: count(row, 'size'), frontier: text(row, 'frontier') }),
    changeOf(row: DatabaseRow): StoredFileChange {
      const kind = KINDS.find((one) => one === row['kind'])
      if (kind === undefined) throw damagedRow('kind')
      return {
        path: text(row, 'path'),
        kind,
        content: text(row, 'content'),
        mark: text(row, 'mark'),
        seen: textOrNull(row, 'seen'),
        backup: textOrNull(row, 'backup'),
        call: text(row, 'call'),
        agent: text(row, 'agent'),
        at: count(row, 'at'),
      }
    },
  })
}

/** What `createRowReader` makes. */
export type RowReader = ReturnType<typeof createRowReader>

/** A number in a row. */
export function count(row: DatabaseRow | undefined, column: string): number {
  const value = row?.[column]
  if (typeof value !== 'number' || !Number.isFinite(value)) throw damagedRow(column)
  return value
}

/** A number in a row, or null. */
export function countOrNull(row: DatabaseRow, column: string): number | null {
  return row[column] === null ? null : count(row, column)
}

export function bytesOrNull(row: DatabaseRow, column: string): Uint8Array | null {
  const value = row[column]
  if (value === null) return null
  if (value instanceof Uint8Array) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
  throw damagedRow(column)
}

/** The error of a row that can't be what this program wrote. */
export function damagedRow(column: string): CountersignError {
  return new CountersignError(
    'CS_STORE_READ',
    `the store has a damaged row (column \`${column}\`); restore a backup and run \`countersign journal verify\``,
  )
}
