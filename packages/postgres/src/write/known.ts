import { type Change, CountersignError, type JournalHead, WAITING_STATES } from '@countersign/core'
import type { Answer, Row, Statement } from '../connection/client.ts'
import { type Guard, guardOf } from '../read/known-head.ts'
import { callOf, grantOf, headOf } from '../read/rows.ts'
import { count, stored, text } from '../read/values.ts'
import { markedLeaf, type Table } from '../schema/schema.ts'
import type { CallRow, GrantRow } from './rows-to-write.ts'

/** What a commit found while it holds the lock of the journal: everything its conditions name. */
export interface Known {
  readonly head: JournalHead & Guard & { readonly revision: number }
  /** The transaction's number, by which the server tells later what became of it. */
  readonly xid: string
  /** When the server was started. */
  readonly server: string
  /** The end of the archived part of the journal. */
  readonly archived: number
  readonly calls: Map<string, CallRow>
  readonly grants: Map<string, GrantRow>
  /** Waiting calls and their bytes, by key. */
  readonly held: ReadonlyMap<string, HeldCount>
  /** Sums of counters, by `sumKey`. */
  readonly sums: ReadonlyMap<string, number>
}

/** How many calls wait, and how many bytes they seal. */
export interface HeldCount {
  readonly n: number
  readonly bytes: number
}

/** The key of all waiting calls. */
export const ALL = 't'

/** The key of a session's waiting calls. */
export function sessionKey(session: string | null): string {
  return session === null ? 'n' : `s${stored(session)}`
}

/** Whether a call of this state waits for a person or for its caller: these are what a bound counts. */
export function isWaiting(state: string): boolean {
  return (WAITING_STATES as readonly string[]).includes(state)
}

/** Names one sum of a counter. Stored texts have no NUL. */
export function sumKey(session: string, name: string, from: number): string {
  return `${stored(session)}\0${stored(name)}\0${wholeFrom(from)}`
}

/** Times in the store are whole milliseconds. */
function wholeFrom(from: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(Number.MIN_SAFE_INTEGER, Math.ceil(from)))
}

const CALL_COLUMNS =
  'id, session, state, owner, mode, tool, agent, risk, supervision, rule, "callDigest", "requestDigest", summary, ' +
  'NULL AS sealed, "openedAt", "expiresAt", decision, outcome, "closedAt", contain, "openedAfter", coalesce(length(sealed), 0) AS weight'

/** Takes the lock of the journal. Later statements of the transaction see what was committed before. */
function lockStatement(table: Table, marked: number): Statement {
  const sql = `SELECT version, size, frontier, revision, gates, ${markedLeaf(table)} AS marked, pg_current_xact_id()::text AS xid, pg_postmaster_start_time()::text AS server FROM ${table('head')} WHERE one = 1 FOR UPDATE`
  return { name: 'lock', text: sql, values: [marked] }
}

/** Questions of one commit, each with what to do with its answer. */
export interface Questions {
  readonly statements: readonly Statement[]
  known(answers: readonly Answer[]): Known
}

/** What has to be read before these changes can be planned; `marked` is an entry whose hash is compared. */
export function questionsOf(table: Table, changes: readonly Change[], marked: number): Questions {
  const statements: Statement[] = [lockStatement(table, marked)]
  const takes: ((rows: readonly Row[]) => void)[] = [() => {}]
  const ask = (statement: Statement, take: (rows: readonly Row[]) => void): void => {
    statements.push(statement)
    takes.push(take)
  }
  const calls = new Map<string, CallRow>()
  const grants = new Map<string, GrantRow>()
  const held = new Map<string, HeldCount>()
  const sums = new Map<string, number>()
  let archived = 0

  const callIds = unique(changes.flatMap(({ open, move }) => [open?.call.id, move?.id]))
  if (callIds.length > 0)
    ask(
      { name: 'calls', text: `SELECT ${CALL_COLUMNS} FROM ${table('call')} WHERE id = ANY($1)`, values: [callIds] },
      (rows) => {
        for (const row of rows) {
          const call = callOf(row)
          const [weight, openedAfter] = [count(row, 'weight'), count(row, 'openedAfter')]
          calls.set(stored(call.id), { call, weight, openedAfter, sealed: 'as stored' })
        }
      },
    )
  const opened = changes.flatMap(({ open }) => (open !== undefined && isWaiting(open.call.state) ? [open.call] : []))
  if (opened.length > 0) {
    const keys = [...new Set([ALL, ...opened.map(({ session }) => sessionKey(session))])]
    const sql = `SELECT key, n, bytes FROM ${table('held')} WHERE key = ANY($1)`
    ask({ name: 'held', text: sql, values: [keys] }, (rows) => {
      for (const row of rows) held.set(String(row['key']), { n: count(row, 'n'), bytes: count(row, 'bytes') })
    })
  }
  const grantIds = unique(
    changes.flatMap(({ addGrant, useGrant, revokeGrant }) => [addGrant?.id, useGrant?.id, revokeGrant?.id]),
  )
  if (grantIds.length > 0)
    ask(
      { name: 'grants', text: `SELECT * FROM ${table('standing')} WHERE id = ANY($1)`, values: [grantIds] },
      (rows) => {
        for (const row of rows.map(grantOf)) grants.set(stored(row.id), row)
      },
    )
  // Changes of one group often ask for the same sum: a row for each would count everything that often.
  const bounded = new Map(
    changes.flatMap(({ count: uses = [] }) =>
      uses.flatMap(({ session, name, bounds = [] }) =>
        bounds.map(({ from }) => [
          sumKey(session, name, from),
          [stored(session), stored(name), wholeFrom(from)] as const,
        ]),
      ),
    ),
  )
  if (bounded.size > 0) {
    const sql =
      `SELECT one.session, one.name, one.since, coalesce(sum(counted.amount), 0) AS sum ` +
      `FROM unnest($1::text[], $2::text[], $3::bigint[]) AS one (session, name, since) LEFT JOIN ${table('counter')} AS counted ` +
      'ON counted.session = one.session AND counted.name = one.name AND counted.at >= one.since GROUP BY 1, 2, 3'
    const columns = [0, 1, 2].map((at) => [...bounded.values()].map((one) => one[at]))
    ask({ name: 'sums', text: sql, values: columns }, (rows) => {
      for (const row of rows)
        sums.set(sumKey(text(row, 'session'), text(row, 'name'), count(row, 'since')), count(row, 'sum'))
    })
  }
  if (changes.some(({ archive }) => archive !== undefined))
    ask({ text: `SELECT coalesce(max("to"), 0) AS archived FROM ${table('span')}` }, (rows) => {
      archived = count(rows[0], 'archived')
    })

  return {
    statements,
    known(answers) {
      for (const [at, take] of takes.entries()) take(answers[at]?.rows ?? [])
      const row = answers[0]?.rows[0]
      if (row === undefined)
        throw new CountersignError('CS_STORE_READ', 'the store has no journal; restore a backup of the database')
      const head = { ...guardOf(row), ...headOf(row), revision: count(row, 'revision') }
      return { head, xid: text(row, 'xid'), server: text(row, 'server'), archived, calls, grants, held, sums }
    },
  }
}

function unique(ids: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(ids.flatMap((id) => (id === undefined ? [] : [stored(id)])))]
}
