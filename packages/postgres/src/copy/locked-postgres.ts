import {
  CountersignError,
  count,
  type JournalSource,
  type LockedStore,
  readGateList,
  STORE_TABLES,
  type StoreRow,
  type StoreState,
  type StoreTable,
  storeRowOf,
  WAITING_STATES,
} from '@countersign/core'
import type pg from 'pg'
import { parseStoreAddress, type StoreAddress } from '../connection/address.ts'
import { beginWith, connect, cut, type Statement, send, TIMEOUTS, type Timeouts } from '../connection/client.ts'
import { isAnswer, storeError } from '../connection/postgres-error.ts'
import { checkpointOf, entryOf, headOf, spanOf } from '../read/rows.ts'
import { reader, stored, text } from '../read/values.ts'
import { channelOf, type Table, tablesOf } from '../schema/schema.ts'
import { checkSchema, stateOfVersion, versionOfState } from '../schema/schema-version.ts'
import { insertStatement, namesOf } from './insert-statement.ts'

/** A copy reads the other store between two statements, and a large one takes minutes. */
const COPYING: Timeouts = { ...TIMEOUTS, statement: 600_000, answer: 610_000, lock: 10_000, idle: 600_000 }
const OWN_TABLES = ['held', 'gate_list', 'gate_request', 'applied']
const WAITING = WAITING_STATES.map((state) => `'${state}'`).join(', ')

/** Locks the store at `postgres://…`: until it is released, gates can read it and nobody can write it. */
export async function lockPostgresStore(address: string): Promise<LockedStore> {
  const parsed = parseStoreAddress(address)
  await checkSchema(parsed, 'any state')
  let client: pg.Client | undefined
  try {
    client = await connect(parsed, COPYING)
    const table = tablesOf(parsed.schema)
    const all = [...STORE_TABLES.map(({ name }) => name), 'head', ...OWN_TABLES].map(table).join(', ')
    const answers = await send(
      client,
      [
        { text: beginWith('ISOLATION LEVEL REPEATABLE READ', COPYING) },
        // Before any read: what is read afterwards is what the last writer left.
        { text: `LOCK TABLE ${all} IN EXCLUSIVE MODE` },
        { text: `SELECT version FROM ${table('head')}` },
      ],
      COPYING,
    )
    return lockedStore(client, parsed, stateOfVersion(parsed.shown, count(answers[2]?.rows[0], 'version')))
  } catch (error) {
    if (client !== undefined) cut(client)
    throw storeError(error, 'CS_STORE_OPEN', `cannot lock the store \`${parsed.shown}\``)
  }
}

function lockedStore(client: pg.Client, { shown, schema }: StoreAddress, state: StoreState): LockedStore {
  const table = tablesOf(schema)
  let isOver = false
  async function run(code: 'CS_STORE_READ' | 'CS_STORE_WRITE', statement: Statement) {
    try {
      const [answer] = await send(client, [statement], COPYING)
      return answer?.rows ?? []
    } catch (error) {
      throw storeError(error, code, `cannot copy the store \`${shown}\``)
    }
  }
  const read = (sql: string, values: readonly unknown[] = []) => run('CS_STORE_READ', { text: sql, values })
  const write = (sql: string, values: readonly unknown[] = []) => run('CS_STORE_WRITE', { text: sql, values })
  return Object.freeze({
    shown,
    state,
    journal: journalOf(table, read),
    async isEmpty() {
      const any = [...STORE_TABLES.map(({ name }) => name), 'gate_list'].map(
        (name) => `EXISTS (SELECT FROM ${table(name)})`,
      )
      return (await read(`SELECT ${any.join(' OR ')} AS any`))[0]?.['any'] === false
    },
    async *rows(spec: StoreTable) {
      const order = spec.order?.map((name) => `"${name}"`).join(', ') ?? 'n'
      const sql = `SELECT ${namesOf(spec)} FROM ${table(spec.name)} ORDER BY ${order}`
      await read(`DECLARE copied NO SCROLL CURSOR FOR ${sql}`)
      for (;;) {
        const found = await read(`FETCH ${spec.page} FROM copied`)
        if (found.length === 0) break
        yield found.map((row) => storeRowOf(spec, row, reader))
      }
      await read('CLOSE copied')
    },
    async gateLists() {
      return (await read(`SELECT body FROM ${table('gate_list')} ORDER BY version`)).map((row) => text(row, 'body'))
    },
    async clear() {
      const all = [...STORE_TABLES.map(({ name }) => name), ...OWN_TABLES].map(table).join(', ')
      await write(`TRUNCATE ${all} RESTART IDENTITY`)
    },
    add: async (spec: StoreTable, rows: readonly StoreRow[]) => {
      await run('CS_STORE_WRITE', insertStatement(table, spec, rows))
    },
    async complete({ size, frontier }, lists) {
      const versions = lists.map((list) => readGateList(list).list.version)
      await write(`INSERT INTO ${table('gate_list')} SELECT * FROM unnest($1::bigint[], $2::text[])`, [
        versions,
        lists.map(stored),
      ])
      const of = `count(*), coalesce(sum(length(sealed)), 0) FROM ${table('call')} WHERE state IN (${WAITING})`
      await write(`INSERT INTO ${table('held')} SELECT 't', ${of}`)
      await write(`INSERT INTO ${table('held')} SELECT coalesce('s' || session, 'n'), ${of} GROUP BY session`)
      await write(`UPDATE ${table('head')} SET size = $1, frontier = $2, gates = $3`, [
        size,
        frontier,
        versions.at(-1) ?? 0,
      ])
    },
    async commit(next: StoreState) {
      const sql = `UPDATE ${table('head')} SET version = $1, revision = revision + 1 RETURNING revision, gates`
      const row = (await write(sql, [versionOfState(next)]))[0]
      const news = `copy ${count(row, 'revision')} ${count(row, 'gates')}`
      await write('SELECT pg_notify($1, $2)', [channelOf(schema), news])
      isOver = true
      const [answer] = await send(client, [{ text: 'COMMIT' }], COPYING).catch((error: unknown) => {
        throw isAnswer(error)
          ? storeError(error, 'CS_STORE_WRITE', `cannot write the store \`${shown}\``)
          : unsure(shown)
      })
      // INVARIANT: L3, only the tag counts: a COMMIT after an error succeeds as ROLLBACK.
      if (answer?.command !== 'COMMIT')
        throw new CountersignError('CS_STORE_WRITE', `the server undid the copy in \`${shown}\`; run the command again`)
    },
    async release() {
      if (!isOver) await send(client, [{ text: 'ROLLBACK' }], TIMEOUTS).catch(() => {}) // it ends with the connection
      isOver = true
      await client.end().catch(() => {})
    },
  } satisfies LockedStore)
}

function journalOf(
  table: Table,
  read: (sql: string, values?: readonly unknown[]) => Promise<readonly { readonly [column: string]: unknown }[]>,
): JournalSource {
  return {
    head: async () => headOf((await read(`SELECT size, frontier FROM ${table('head')}`))[0] ?? {}),
    entries: async (from, to) => {
      const sql = `SELECT seq, line, leaf FROM ${table('entry')} WHERE seq BETWEEN $1 AND $2 ORDER BY seq`
      return (await read(sql, [from, to])).map(entryOf)
    },
    spans: async () => (await read(`SELECT * FROM ${table('span')} ORDER BY "from"`)).map(spanOf),
    checkpoints: async () => (await read(`SELECT * FROM ${table('checkpoint')} ORDER BY size`)).map(checkpointOf),
  }
}

function unsure(shown: string): CountersignError {
  return new CountersignError(
    'CS_STORE_UNSURE',
    `the connection to \`${shown}\` was lost at the end of the copy; run the command again, which finds out what happened`,
  )
}
