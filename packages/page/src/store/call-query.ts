import { CALL_STATES, type CallQuery, type EntryOutline, isJsonObject, type StoredCall } from '@countersign/core'
import { answerOf } from './database.ts'
import { type CallRow, callOf, type EntryRow, entryOf } from './rows.ts'

const DEFAULT_LIMIT = 100
const MOST = 10_000

/** Calls by every field of a query: oldest first if only held ones are asked for, otherwise newest first. */
export async function findCalls(tx: IDBTransaction, query: CallQuery): Promise<readonly StoredCall[]> {
  const states = query.state === undefined ? CALL_STATES : typeof query.state === 'string' ? [query.state] : query.state
  const rising = query.state !== undefined && states.length === 1 && states[0] === 'held'
  const limit = Math.min(MOST, Math.max(1, Math.trunc(query.limit ?? DEFAULT_LIMIT)))
  const before = query.before === undefined ? undefined : (await findRow(tx, query.before))?.n
  if (query.before !== undefined && before === undefined) return []
  const isAsked = (row: CallRow): boolean => states.includes(row.state) && isAskedFor(row, query)
  const rows = states.includes('closed')
    ? await scan(tx, before, limit, isAsked)
    : await openRows(tx, states, { before, limit, rising, isAsked })
  const calls: StoredCall[] = []
  for (const row of rows) calls.push(await withSealed(tx, row, query.unsealed === true))
  return calls
}

export function findRow(tx: IDBTransaction, id: string): Promise<CallRow | undefined> {
  return answerOf(tx.objectStore('call').index('id').get(id))
}

export async function withSealed(tx: IDBTransaction, row: CallRow, unsealed: boolean): Promise<StoredCall> {
  const sealed = unsealed ? null : await answerOf(tx.objectStore('sealed').get(row.n))
  return callOf(row, sealed ?? null)
}

function isAskedFor(row: CallRow, query: CallQuery): boolean {
  return (
    (query.session === undefined || row.session === query.session) &&
    (query.tool === undefined || row.tool === query.tool) &&
    (query.outcome === undefined || row.outcome === query.outcome) &&
    (query.agent === undefined || row.agent === query.agent) &&
    (query.risk === undefined || row.risk === query.risk) &&
    (query.since === undefined || row.openedAt >= query.since) &&
    (query.approver === undefined || approverOf(row) === query.approver)
  )
}

/** The decision of an open call may be sealed, and is then not JSON. */
function approverOf({ decision }: CallRow): unknown {
  try {
    const parsed: unknown = JSON.parse(decision ?? 'null')
    return isJsonObject(parsed) ? parsed['approver'] : undefined
  } catch {
    return undefined
  }
}

/** Open calls are few: all of them are read. */
async function openRows(
  tx: IDBTransaction,
  states: readonly string[],
  {
    before,
    limit,
    rising,
    isAsked,
  }: {
    readonly before: number | undefined
    readonly limit: number
    readonly rising: boolean
    readonly isAsked: (row: CallRow) => boolean
  },
): Promise<readonly CallRow[]> {
  const index = tx.objectStore('call').index('state')
  const found: CallRow[] = []
  for (const state of new Set(states)) found.push(...((await answerOf(index.getAll(state))) as CallRow[]))
  return found
    .filter(({ n }) => before === undefined || (rising ? n > before : n < before))
    .filter(isAsked)
    .sort((a, b) => (rising ? a.n - b.n : b.n - a.n))
    .slice(0, limit)
}

/** Every call from the newest on, until enough of them are what is asked for. */
function scan(
  tx: IDBTransaction,
  before: number | undefined,
  limit: number,
  isAsked: (row: CallRow) => boolean,
): Promise<readonly CallRow[]> {
  const range = before === undefined ? null : IDBKeyRange.upperBound(before, true)
  const request = tx.objectStore('call').openCursor(range, 'prev')
  const found: CallRow[] = []
  return new Promise((resolve, reject) => {
    request.onerror = () => reject(request.error)
    request.onsuccess = () => {
      const cursor = request.result
      if (cursor === null || found.length === limit) return resolve(found)
      const row = cursor.value as CallRow
      if (isAsked(row)) found.push(row)
      cursor.continue()
    }
  })
}

/** Every entry of one call, rising. */
export async function entriesOfCall(tx: IDBTransaction, callId: string): Promise<readonly EntryRow[]> {
  const after = (await findRow(tx, callId))?.openedAfter ?? 0
  const rows: readonly EntryRow[] = await answerOf(tx.objectStore('entry').index('call').getAll(callId))
  return rows.filter(({ seq }) => seq > after).sort((a, b) => a.seq - b.seq)
}

/** The first and the last of them. */
export async function outlineOfCall(tx: IDBTransaction, callId: string, most: number): Promise<EntryOutline> {
  const all = await entriesOfCall(tx, callId)
  const first = Math.min(all.length, Math.ceil(most / 2))
  const last = Math.min(all.length - first, most - first)
  const entries = [...all.slice(0, first), ...all.slice(all.length - last)].map(entryOf)
  return { entries, more: all.length - entries.length }
}
