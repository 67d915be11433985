import type { SQLOutputValue } from 'node:sqlite'
import {
  CALL_STATES,
  CountersignError,
  type JournalHead,
  type Span,
  type StoredCall,
  type StoredEntry,
  type StoredGrant,
} from '@countersign/core'

/** A row as SQLite returns it. */
export type Row = { readonly [column: string]: SQLOutputValue }

/** A call from its row. Nothing in the file is trusted: a column of another type is damage. */
export function callOf(row: Row): StoredCall {
  const state = CALL_STATES.find((one) => one === row['state'])
  const mode = row['mode']
  if (state === undefined || (mode !== 'ask' && mode !== 'submit')) throw damaged('state')
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
}

export function grantOf(row: Row): StoredGrant {
  return {
    id: text(row, 'id'),
    session: textOrNull(row, 'session'),
    body: text(row, 'body'),
    decision: text(row, 'decision'),
    uses: count(row, 'uses'),
    maxUses: countOrNull(row, 'maxUses'),
    expiresAt: countOrNull(row, 'expiresAt'),
    revokedAt: countOrNull(row, 'revokedAt'),
  }
}

export function entryOf(row: Row): StoredEntry {
  return { seq: count(row, 'seq'), line: text(row, 'line'), leaf: text(row, 'leaf') }
}

export function spanOf(row: Row): Span {
  return { from: count(row, 'from'), to: count(row, 'to'), nodes: text(row, 'nodes') }
}

export function checkpointOf(row: Row): { readonly size: number; readonly note: string } {
  return { size: count(row, 'size'), note: text(row, 'note') }
}

export function headOf(row: Row): JournalHead {
  return { size: count(row, 'size'), frontier: text(row, 'frontier') }
}

export function text(row: Row, column: string): string {
  const value = row[column]
  if (typeof value !== 'string') throw damaged(column)
  return value
}

export function count(row: Row, column: string): number {
  const value = row[column]
  if (typeof value !== 'number') throw damaged(column)
  return value
}

export function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column)
}

export function countOrNull(row: Row, column: string): number | null {
  return row[column] === null ? null : count(row, column)
}

function bytesOrNull(row: Row, column: string): Uint8Array | null {
  const value = row[column]
  if (value === null || value instanceof Uint8Array) return value
  throw damaged(column)
}

export function damaged(column: string): CountersignError {
  return new CountersignError(
    'CS_STORE_READ',
    `the store has a damaged row (column \`${column}\`); restore a backup and run \`countersign journal verify\``,
  )
}
