import { CountersignError, type EntryDraft, type GateBoard, type JoinRow } from '@countersign/core'
import type { Answer, Row, Statement } from '../connection/client.ts'
import { stored, text, textOrNull } from '../read/values.ts'
import type { Table } from '../schema/schema.ts'
import { GateListMoved } from '../write/planned-rows.ts'
import type { GateListRow } from '../write/rows-to-write.ts'

/** What the board needs of its store. */
export interface BoardParts {
  readonly table: Table
  version(): number
  read(statement: Statement): Promise<readonly Row[]>
  /** Runs a statement in a transaction of its own. */
  run(statement: Statement): Promise<Answer | undefined>
  commit(list: GateListRow, entry: EntryDraft): Promise<unknown>
}

/** INVARIANT: L10. */
const MOST_REQUESTS = 100
const MOST_LISTS = 10_000

/** The board of a store on PostgreSQL. */
export function openGateBoard({ table, version, read, run, commit }: BoardParts): GateBoard {
  const requests = table('gate_request')
  const isDone = async (statement: Statement) => ((await run(statement))?.rowCount ?? 0) === 1
  let own = 0
  return Object.freeze({
    version: () => Math.max(own, version()),
    async listsAfter(known: number) {
      const sql = `SELECT body FROM ${table('gate_list')} WHERE version > $1 ORDER BY version LIMIT ${MOST_LISTS}`
      return (await read({ text: sql, values: [known] })).map((row) => text(row, 'body'))
    },
    async addList(list: GateListRow, entry: EntryDraft) {
      try {
        await commit(list, entry)
        own = list.version
        return true
      } catch (error) {
        if (error instanceof CountersignError && error.cause instanceof GateListMoved) return false
        throw error
      }
    },
    async ask(id: string, request: string, livesMs: number) {
      await run({ text: `DELETE FROM ${requests} WHERE until < clock_timestamp()` })
      const sql =
        `INSERT INTO ${requests} (id, request, until) SELECT $1, $2, clock_timestamp() + $3 * interval '1 millisecond' ` +
        `WHERE (SELECT count(*) FROM ${requests}) < ${MOST_REQUESTS}`
      return isDone({ text: sql, values: [stored(id), stored(request), livesMs] })
    },
    async asked(id: string): Promise<JoinRow | undefined> {
      const sql = `SELECT request, answer FROM ${requests} WHERE id = $1 AND until >= clock_timestamp()`
      const row = (await read({ text: sql, values: [stored(id)] }))[0]
      return row === undefined ? undefined : { request: text(row, 'request'), answer: textOrNull(row, 'answer') }
    },
    answer(id: string, answer: string) {
      const sql = `UPDATE ${requests} SET answer = $2 WHERE id = $1 AND answer IS NULL AND until >= clock_timestamp()`
      return isDone({ text: sql, values: [stored(id), stored(answer)] })
    },
    async forget(id: string) {
      await run({ text: `DELETE FROM ${requests} WHERE id = $1`, values: [stored(id)] })
    },
  })
}
