import { type JournalSource, type StoreRow, type StoreSnapshot, type StoreTable, storeRowOf } from '@countersign/core'
import type pg from 'pg'
import { parseStoreAddress, type StoreAddress } from '../connection/address.ts'
import {
  beginWith,
  connect,
  cut,
  type Row,
  type Statement,
  send,
  TIMEOUTS,
  type Timeouts,
} from '../connection/client.ts'
import { storeError } from '../connection/postgres-error.ts'
import { checkpointOf, entryOf, headOf, spanOf } from '../read/rows.ts'
import { reader, text } from '../read/values.ts'
import { type Table, tablesOf } from '../schema/schema.ts'
import { checkSchema } from '../schema/schema-version.ts'
import { namesOf } from './insert-statement.ts'

/** A copy reads the other store between two statements, and a large one takes minutes. */
export const COPYING: Timeouts = { ...TIMEOUTS, statement: 600_000, answer: 610_000, lock: 10_000, idle: 600_000 }

type Read = (sql: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** Opens one moment of the store at `postgres://…` for reading. Gates go on writing, and what they write is not in it. */
export async function snapshotPostgresStore(address: string): Promise<StoreSnapshot> {
  const parsed = parseStoreAddress(address)
  await checkSchema(parsed)
  let client: pg.Client | undefined
  try {
    client = await connect(parsed, COPYING)
    const begin = { text: beginWith('ISOLATION LEVEL REPEATABLE READ READ ONLY', COPYING) }
    // The moment is that of the first query.
    await send(client, [begin, { text: `SELECT version FROM ${tablesOf(parsed.schema)('head')}` }], COPYING)
    const opened = client
    return Object.freeze({
      ...readingOf(opened, parsed),
      state: 'in use',
      async release() {
        await send(opened, [{ text: 'ROLLBACK' }], TIMEOUTS).catch(() => {}) // it ends with the connection
        await opened.end().catch(() => {})
      },
    } satisfies StoreSnapshot)
  } catch (error) {
    if (client !== undefined) cut(client)
    throw storeError(error, 'CS_STORE_OPEN', `cannot read the store \`${parsed.shown}\``)
  }
}

/** Runs one statement of a copy. */
export async function runCopying(
  client: pg.Client,
  shown: string,
  code: 'CS_STORE_READ' | 'CS_STORE_WRITE',
  statement: Statement,
): Promise<readonly Row[]> {
  try {
    const [answer] = await send(client, [statement], COPYING)
    return answer?.rows ?? []
  } catch (error) {
    throw storeError(error, code, `cannot copy the store \`${shown}\``)
  }
}

/** Reads a store in the transaction of this connection. */
export function readingOf(
  client: pg.Client,
  { shown, schema }: StoreAddress,
): Pick<StoreSnapshot, 'shown' | 'journal' | 'rows' | 'gateLists'> {
  const table = tablesOf(schema)
  const read: Read = (sql, values = []) => runCopying(client, shown, 'CS_STORE_READ', { text: sql, values })
  return {
    shown,
    journal: journalOf(table, read),
    async *rows(spec: StoreTable): AsyncGenerator<readonly StoreRow[]> {
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
  }
}

function journalOf(table: Table, read: Read): JournalSource {
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
