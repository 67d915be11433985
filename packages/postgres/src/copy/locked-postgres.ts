import {
  CountersignError,
  count,
  type LockedStore,
  readGateList,
  STORE_TABLES,
  type StoreRow,
  type StoreState,
  type StoreTable,
  WAITING_STATES,
} from '@countersign/core'
import type pg from 'pg'
import { parseStoreAddress, type StoreAddress } from '../connection/address.ts'
import { beginWith, connect, cut, type Statement, send, TIMEOUTS } from '../connection/client.ts'
import { isAnswer, storeError } from '../connection/postgres-error.ts'
import { stored } from '../read/values.ts'
import { channelOf, tablesOf } from '../schema/schema.ts'
import { checkSchema, stateOfVersion, versionOfState } from '../schema/schema-version.ts'
import { insertStatement } from './insert-statement.ts'
import { COPYING, readingOf, runCopying } from './postgres-snapshot.ts'

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

function lockedStore(client: pg.Client, address: StoreAddress, state: StoreState): LockedStore {
  const { shown, schema } = address
  const table = tablesOf(schema)
  let isOver = false
  const reading = readingOf(client, address)
  const run = (code: 'CS_STORE_READ' | 'CS_STORE_WRITE', one: Statement) => runCopying(client, shown, code, one)
  const read = (sql: string) => run('CS_STORE_READ', { text: sql })
  const write = (sql: string, values: readonly unknown[] = []) => run('CS_STORE_WRITE', { text: sql, values })
  return Object.freeze({
    ...reading,
    state,
    async isEmpty() {
      const any = [...STORE_TABLES.map(({ name }) => name), 'gate_list'].map(
        (name) => `EXISTS (SELECT FROM ${table(name)})`,
      )
      return (await read(`SELECT ${any.join(' OR ')} AS any`))[0]?.['any'] === false
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

function unsure(shown: string): CountersignError {
  return new CountersignError(
    'CS_STORE_UNSURE',
    `the connection to \`${shown}\` was lost at the end of the copy; run the command again, which finds out what happened`,
  )
}
