import type { SharedRows } from '@countersign/core'
import type { Answer, Row, Statement } from '../connection/client.ts'
import { stored, text } from '../read/values.ts'
import type { Table } from '../schema/schema.ts'

/** What the shared rows need of their store. */
export interface SharedParts {
  readonly table: Table
  read(statement: Statement): Promise<readonly Row[]>
  /** Runs a statement in a transaction of its own. */
  run(statement: Statement): Promise<Answer | undefined>
}

/** INVARIANT: L10. */
const MOST_LISTED = 1_000

/** The rows that services share, on PostgreSQL. They are deleted when another is written after their time. */
export function openSharedRows({ table, read, run }: SharedParts): SharedRows {
  const shared = table('shared')

  async function write(key: string, value: string, livesMs: number, where: string): Promise<boolean> {
    await run({ text: `DELETE FROM ${shared} WHERE until < clock_timestamp()` })
    const sql =
      `INSERT INTO ${shared} AS known VALUES ($1, $2, clock_timestamp() + $3 * interval '1 millisecond') ` +
      `ON CONFLICT (key) DO UPDATE SET value = excluded.value, until = excluded.until ${where}`
    return ((await run({ text: sql, values: [stored(key), stored(value), livesMs] }))?.rowCount ?? 0) === 1
  }

  return Object.freeze({
    async get(key: string) {
      const sql = `SELECT value FROM ${shared} WHERE key = $1 AND until >= clock_timestamp()`
      const row = (await read({ name: 'shared-get', text: sql, values: [stored(key)] }))[0]
      return row === undefined ? undefined : text(row, 'value')
    },
    add: (key: string, value: string, livesMs: number) =>
      write(key, value, livesMs, 'WHERE known.until < clock_timestamp()'),
    async set(key: string, value: string, livesMs: number) {
      await write(key, value, livesMs, '')
    },
    async take(key: string) {
      const sql = `DELETE FROM ${shared} WHERE key = $1 AND until >= clock_timestamp() RETURNING value`
      const row = (await run({ text: sql, values: [stored(key)] }))?.rows[0]
      return row === undefined ? undefined : text(row, 'value')
    },
    async list(prefix: string) {
      const sql = `SELECT key, value FROM ${shared} WHERE starts_with(key, $1) AND until >= clock_timestamp() LIMIT ${MOST_LISTED}`
      const rows = await read({ text: sql, values: [stored(prefix)] })
      return new Map(rows.map((row) => [text(row, 'key'), text(row, 'value')]))
    },
    async clear() {
      await run({ text: `DELETE FROM ${shared}` })
    },
  })
}
