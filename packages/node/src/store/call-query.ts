import type { DatabaseSync } from 'node:sqlite'
import type { CallQuery, EntryOutline, StoredCall, StoredEntry } from '@countersign/core'
import { callOf, count, entryOf } from './row-mapping.ts'

const DEFAULT_LIMIT = 100
const MOST = 10_000
/** Every column of a row but its arguments, which may be large. */
const UNSEALED =
  'id, session, state, owner, mode, tool, agent, risk, supervision, rule, callDigest, requestDigest, summary, ' +
  'NULL AS sealed, openedAt, expiresAt, decision, outcome, closedAt, contain'

/** Calls by state, session, tool, outcome, agent, risk, approver and time: oldest first when only held ones are asked for, else newest first. */
export function findCalls(db: DatabaseSync, query: CallQuery): readonly StoredCall[] {
  const where: string[] = []
  const values: (string | number | null)[] = []
  const states = query.state === undefined ? [] : typeof query.state === 'string' ? [query.state] : query.state
  if (query.state !== undefined) add(`state IN (${states.map(() => '?').join(', ')})`, ...states)
  // The index holds open calls only; SQLite uses it when it is told that none is closed.
  if (states.length > 0 && !states.includes('closed')) add("state <> 'closed'")
  if (query.session !== undefined) add('session IS ?', query.session)
  if (query.tool !== undefined) add('tool = ?', query.tool)
  if (query.outcome !== undefined) add('outcome = ?', query.outcome)
  if (query.agent !== undefined) add('agent = ?', query.agent)
  if (query.risk !== undefined) add('risk = ?', query.risk)
  // The decision of an open call may be sealed, and is then not JSON.
  if (query.approver !== undefined)
    add("CASE WHEN json_valid(decision) THEN decision ->> '$.approver' END = ?", query.approver)
  if (query.since !== undefined) add('openedAt >= ?', query.since)
  const rising = states.length === 1 && states[0] === 'held'
  if (query.before !== undefined) add(`rowid ${rising ? '>' : '<'} (SELECT rowid FROM call WHERE id = ?)`, query.before)
  const limit = Math.min(MOST, Math.max(1, Math.trunc(query.limit ?? DEFAULT_LIMIT)))
  const filter = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`
  const columns = query.unsealed === true ? UNSEALED : '*'
  const sql = `SELECT ${columns} FROM call ${filter} ORDER BY rowid ${rising ? 'ASC' : 'DESC'} LIMIT ?`
  return db
    .prepare(sql)
    .all(...values, limit)
    .map(callOf)

  function add(condition: string, ...more: (string | number | null)[]): void {
    where.push(condition)
    values.push(...more)
  }
}

const OF_CALL =
  'FROM entry WHERE seq > coalesce((SELECT openedAfter FROM call WHERE id = ?), 0) AND call = ? ORDER BY seq'

/** Every entry of one call, rising. */
export function allOfCall(db: DatabaseSync, callId: string): readonly StoredEntry[] {
  return db.prepare(`SELECT * ${OF_CALL}`).all(callId, callId).map(entryOf)
}

/** The first and the last of them. Of those between only the numbers are read, never the lines. */
export function outlineOfCall(db: DatabaseSync, callId: string, most: number): EntryOutline {
  const all = db
    .prepare(`SELECT seq ${OF_CALL}`)
    .all(callId, callId)
    .map((row) => count(row, 'seq'))
  const first = Math.min(all.length, Math.ceil(most / 2))
  const last = Math.min(all.length - first, most - first)
  const one = db.prepare('SELECT * FROM entry WHERE seq = ?')
  const seqs = [...all.slice(0, first), ...all.slice(all.length - last)]
  return { entries: seqs.map((seq) => entryOf(one.get(seq) ?? {})), more: all.length - seqs.length }
}
