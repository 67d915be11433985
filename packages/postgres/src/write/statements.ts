import type { StoredCall } from '@countersign/core'
import type { Statement } from '../connection/client.ts'
import { stored, storedOrNull } from '../read/values.ts'
import { channelOf, type Table } from '../schema/schema.ts'
import { fileStatements } from './file-statements.ts'
import { ALL } from './known.ts'
import type { CallRow, CounterRow, GrantRow, RowsToWrite } from './rows-to-write.ts'

/** A column of many rows as one parameter. */
type Column<T> = { readonly name: string; readonly type: string; value(row: T): unknown }

const column = <T>(name: string, type: string, value: (row: T) => unknown): Column<T> => ({ name, type, value })

const textColumn = (name: keyof StoredCall) =>
  column<CallRow>(name, 'text', ({ call }) => storedOrNull(call[name] as string | null))
const wholeColumn = (name: keyof StoredCall) => column<CallRow>(name, 'bigint', ({ call }) => call[name])

const CALL_COLUMNS: readonly Column<CallRow>[] = [
  ...(['id', 'session', 'state', 'owner', 'mode', 'tool', 'agent', 'risk', 'supervision', 'rule'] as const).map(
    textColumn,
  ),
  ...(['callDigest', 'requestDigest', 'summary', 'decision', 'outcome', 'contain'] as const).map(textColumn),
  ...(['openedAt', 'expiresAt', 'closedAt'] as const).map(wholeColumn),
  column('sealed', 'bytea', ({ call }) => (call.sealed === null ? null : Buffer.from(call.sealed))),
  column('approver', 'text', ({ call }) => storedOrNull(approverOf(call.decision))),
]

const OPENED_COLUMNS: readonly Column<CallRow>[] = [
  ...CALL_COLUMNS,
  column('openedAfter', 'bigint', ({ openedAfter }) => openedAfter),
]

const GRANT_COLUMNS: readonly Column<GrantRow>[] = [
  ...(['id', 'session', 'body', 'decision'] as const).map((name) =>
    column<GrantRow>(name, 'text', (row) => storedOrNull(row[name])),
  ),
  ...(['uses', 'maxUses', 'expiresAt', 'revokedAt'] as const).map((name) =>
    column<GrantRow>(name, 'bigint', (row) => row[name]),
  ),
]

const COUNTER_COLUMNS: readonly Column<CounterRow>[] = [
  column('session', 'text', ({ session }) => stored(session)),
  column('name', 'text', ({ name }) => stored(name)),
  column('at', 'bigint', ({ at }) => at),
  column('amount', 'double precision', ({ amount }) => amount),
]

/** Waiting for a synchronous standby or the disk is left out where nothing in the transaction asks for it. */
const RELAXED: Statement = { text: 'SET LOCAL synchronous_commit = off' }

/** Writes what was planned, moves the head, notes the commit under its own id and announces it. The caller commits. */
export function writeStatements(
  table: Table,
  schema: string,
  rows: RowsToWrite,
  commit: { readonly id: string; readonly news: string; readonly mayRelax: boolean },
): readonly Statement[] {
  return [
    ...(rows.durable || !commit.mayRelax ? [] : [RELAXED]),
    ...entryStatements(table, rows),
    ...insert(table, 'call', OPENED_COLUMNS, rows.opened),
    ...moveStatements(table, rows.moved),
    ...heldStatements(table, rows),
    ...insert(table, 'standing', GRANT_COLUMNS, rows.grantsAdded),
    ...grantStatements(table, rows.grantsChanged),
    ...counterStatements(table, rows.counters),
    ...rows.files.flatMap((note) => fileStatements(table, note)),
    ...rows.spans.map(({ from, to, nodes }) => ({
      text: `INSERT INTO ${table('span')} VALUES ($1, $2, $3)`,
      values: [from, to, nodes],
    })),
    ...rows.gateLists.map(({ version, text }) => ({
      text: `INSERT INTO ${table('gate_list')} VALUES ($1, $2)`,
      values: [version, stored(text)],
    })),
    {
      name: 'move-head',
      text:
        `WITH moved AS (UPDATE ${table('head')} SET size = $1, frontier = $2, revision = revision + 1, gates = $6 WHERE one = 1 RETURNING revision, gates), ` +
        `noted AS (INSERT INTO ${table('applied')} VALUES ($3, clock_timestamp())) ` +
        "SELECT pg_notify($4, $5 || ' ' || revision || ' ' || gates) FROM moved",
      values: [rows.size, rows.frontier, commit.id, channelOf(schema), commit.news, rows.gates],
    },
  ]
}

function entryStatements(table: Table, { entries }: RowsToWrite): readonly Statement[] {
  if (entries.length === 0) return []
  const text = `INSERT INTO ${table('entry')} SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[])`
  const values = [
    entries.map(({ seq }) => seq),
    entries.map(({ call }) => storedOrNull(call)),
    entries.map(({ line }) => stored(line)),
    entries.map(({ leaf }) => leaf),
  ]
  return [{ name: 'entries', text, values }]
}

/** Inserts rows in their order, by one statement for any number of them. */
function insert<T>(
  table: Table,
  name: string,
  columns: readonly Column<T>[],
  rows: readonly T[],
): readonly Statement[] {
  if (rows.length === 0) return []
  const names = columns.map((one) => `"${one.name}"`).join(', ')
  const text =
    `INSERT INTO ${table(name)} (${names}) SELECT ${names} ` +
    `FROM unnest(${parameters(columns)}) WITH ORDINALITY AS one (${names}, place) ORDER BY place`
  return [{ name: `insert-${name}`, text, values: arrays(columns, rows) }]
}

/** What a call was read without stays: its sealed arguments are only replaced by given ones. */
function moveStatements(table: Table, rows: readonly CallRow[]): readonly Statement[] {
  if (rows.length === 0) return []
  const columns = [...CALL_COLUMNS, column<CallRow>('keeps', 'boolean', ({ sealed }) => sealed === 'as stored')]
  const names = columns.map((one) => `"${one.name}"`).join(', ')
  const sets = CALL_COLUMNS.filter(({ name }) => name !== 'id' && name !== 'sealed').map(
    ({ name }) => `"${name}" = one."${name}"`,
  )
  const text =
    `UPDATE ${table('call')} AS call SET ${sets.join(', ')}, sealed = CASE WHEN one.keeps THEN call.sealed ELSE one.sealed END ` +
    `FROM unnest(${parameters(columns)}) AS one (${names}) WHERE call.id = one.id`
  return [{ name: 'move-calls', text, values: arrays(columns, rows) }]
}

function heldStatements(table: Table, { held }: RowsToWrite): readonly Statement[] {
  const changed = [...held].filter(([, { n, bytes }]) => n !== 0 || bytes !== 0)
  if (changed.length === 0) return []
  const text =
    `INSERT INTO ${table('held')} AS held SELECT * FROM unnest($1::text[], $2::bigint[], $3::bigint[]) ` +
    'ON CONFLICT (key) DO UPDATE SET n = held.n + excluded.n, bytes = held.bytes + excluded.bytes'
  const values = [changed.map(([key]) => key), changed.map(([, { n }]) => n), changed.map(([, { bytes }]) => bytes)]
  const emptied = changed.flatMap(([key, { n }]) => (n < 0 && key !== ALL ? [key] : []))
  const remove = `DELETE FROM ${table('held')} WHERE key = ANY($1) AND n <= 0`
  return [
    { name: 'held-add', text, values },
    ...(emptied.length === 0 ? [] : [{ name: 'held-remove', text: remove, values: [emptied] }]),
  ]
}

function grantStatements(table: Table, rows: readonly GrantRow[]): readonly Statement[] {
  if (rows.length === 0) return []
  const text =
    `UPDATE ${table('standing')} AS standing SET uses = one.uses, "revokedAt" = one."revokedAt" ` +
    'FROM unnest($1::text[], $2::bigint[], $3::bigint[]) AS one (id, uses, "revokedAt") WHERE standing.id = one.id'
  const values = [rows.map(({ id }) => stored(id)), rows.map(({ uses }) => uses), rows.map((row) => row.revokedAt)]
  return [{ name: 'change-grants', text, values }]
}

function counterStatements(table: Table, rows: readonly CounterRow[]): readonly Statement[] {
  if (rows.length === 0) return []
  const text =
    `INSERT INTO ${table('counter')} AS counter SELECT session, name, at, sum(amount) FROM unnest(${parameters(COUNTER_COLUMNS)}) ` +
    'AS one (session, name, at, amount) GROUP BY session, name, at ' +
    'ON CONFLICT (session, name, at) DO UPDATE SET amount = counter.amount + excluded.amount'
  return [{ name: 'count', text, values: arrays(COUNTER_COLUMNS, rows) }]
}

function parameters<T>(columns: readonly Column<T>[]): string {
  return columns.map(({ type }, at) => `$${at + 1}::${type}[]`).join(', ')
}

function arrays<T>(columns: readonly Column<T>[], rows: readonly T[]): readonly unknown[] {
  return columns.map(({ value }) => rows.map((row) => value(row)))
}

/** Who decided, as history is filtered by it. The decision of an open call may be sealed, and is then not JSON. */
export function approverOf(decision: string | null): string | null {
  try {
    const { approver }: { readonly approver?: unknown } = Object(JSON.parse(decision ?? 'null'))
    return typeof approver === 'string' ? approver : null
  } catch {
    return null
  }
}
