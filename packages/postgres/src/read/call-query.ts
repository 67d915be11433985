import type { CallQuery } from '@countersign/core'
import type { Statement } from '../connection/client.ts'
import type { Table } from '../schema/schema.ts'
import { stored, storedOrNull } from './values.ts'

const DEFAULT_LIMIT = 100
const MOST = 10_000

/** Every column of a call but its arguments, which may be large. */
const COLUMNS =
  'id, session, state, owner, mode, tool, agent, risk, supervision, rule, "callDigest", "requestDigest", summary, ' +
  '"openedAt", "expiresAt", decision, outcome, "closedAt", contain'

/** The query for calls: oldest first when only held ones are asked for, else newest first. */
export function callsStatement(table: Table, query: CallQuery): Statement {
  const where: string[] = []
  const values: unknown[] = []
  const value = (one: unknown): string => `$${values.push(one)}`
  const states = query.state === undefined ? [] : typeof query.state === 'string' ? [query.state] : query.state
  if (query.state !== undefined) where.push(`state = ANY(${value(states)}::text[])`)
  // The index holds open calls only; it is used when the query excludes closed ones.
  if (states.length > 0 && !states.includes('closed')) where.push("state <> 'closed'")
  if (query.session !== undefined) where.push(`session IS NOT DISTINCT FROM ${value(storedOrNull(query.session))}`)
  for (const column of ['tool', 'outcome', 'agent', 'risk', 'approver'] as const) {
    const wanted = query[column]
    if (wanted !== undefined) where.push(`${column} = ${value(stored(wanted))}`)
  }
  if (query.since !== undefined) where.push(`"openedAt" >= ${value(query.since)}::double precision`)
  const rising = states.length === 1 && states[0] === 'held'
  if (query.before !== undefined)
    where.push(`n ${rising ? '>' : '<'} (SELECT n FROM ${table('call')} WHERE id = ${value(stored(query.before))})`)
  const limit = Math.min(MOST, Math.max(1, Math.trunc(query.limit ?? DEFAULT_LIMIT)))
  const filter = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`
  const columns = query.unsealed === true ? `${COLUMNS}, NULL AS sealed` : `${COLUMNS}, sealed`
  const text = `SELECT ${columns} FROM ${table('call')} ${filter} ORDER BY n ${rising ? 'ASC' : 'DESC'} LIMIT ${value(limit)}`
  return { text, values }
}

/** Reads calls by their stored ids. */
export function callsOfStatement(table: Table, ids: readonly string[]): Statement {
  return { name: 'calls-of', text: `SELECT ${COLUMNS}, sealed FROM ${table('call')} WHERE id = ANY($1)`, values: [ids] }
}

/** Entries before it was opened are of another call with this id, which was refused. */
function ofCall(table: Table): string {
  return (
    `FROM ${table('entry')} WHERE call = $1 ` +
    `AND seq > coalesce((SELECT "openedAfter" FROM ${table('call')} WHERE id = $1), 0)`
  )
}

/** Every entry of one call, rising. */
export function entriesOfStatement(table: Table, callId: string): Statement {
  const text = `SELECT seq, line, leaf ${ofCall(table)} ORDER BY seq`
  return { name: 'entries-of', text, values: [stored(callId)] }
}

/** The first and the last entries of one call, and how many there are. */
export function outlineStatements(table: Table, callId: string, most: number): readonly Statement[] {
  const first = Math.ceil(most / 2)
  const of = ofCall(table)
  const ends = (order: string): Statement => ({
    name: `outline-${order}`,
    text: `SELECT seq, line, leaf ${of} ORDER BY seq ${order} LIMIT $2`,
    values: [stored(callId), order === 'ASC' ? first : most - first],
  })
  return [
    ends('ASC'),
    ends('DESC'),
    { name: 'outline-count', text: `SELECT count(*) AS n ${of}`, values: [stored(callId)] },
  ]
}

/** Grants that ended are still listed for a day. */
const LISTED_AFTER_END_MS = 86_400_000
const MOST_GRANTS = 10_000

/** Grants, newest first. */
export function grantsStatement(table: Table, now: number): Statement {
  const text =
    `SELECT * FROM ${table('standing')} WHERE coalesce("revokedAt", $1) >= $1 AND coalesce("expiresAt", $1) >= $1 ` +
    'ORDER BY n DESC LIMIT $2'
  return { name: 'standing', text, values: [now - LISTED_AFTER_END_MS, MOST_GRANTS] }
}
