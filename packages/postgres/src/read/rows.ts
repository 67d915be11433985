import {
  CALL_STATES,
  type ChangeKind,
  type JournalHead,
  type Span,
  type StoredCall,
  type StoredEntry,
  type StoredFileChange,
  type StoredGrant,
} from '@countersign/core'
import type { Row } from '../connection/client.ts'
import { bytesOrNull, count, countOrNull, damaged, text, textOrNull } from './values.ts'

const KINDS: readonly ChangeKind[] = ['written', 'deleted', 'moved']

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

export function changeOf(row: Row): StoredFileChange {
  const kind = KINDS.find((one) => one === row['kind'])
  if (kind === undefined) throw damaged('kind')
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
}
