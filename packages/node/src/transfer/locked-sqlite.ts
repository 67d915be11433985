import { existsSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import {
  type JournalSource,
  type LockedStore,
  STORE_TABLES,
  type StoreRow,
  type StoreState,
  type StoreTable,
  storeRowOf,
  WAITING_STATES,
} from '@countersign/core'
import { readGateLists, writeGateLists } from '../home/gate-lists-file.ts'
import type { Home } from '../home/home.ts'
import { openDatabase } from '../store/database-file.ts'
import { checkpointOf, entryOf, headOf, spanOf, text } from '../store/row-mapping.ts'
import { storeError } from '../store/sqlite-error.ts'
import { openState, writeState } from '../store/store-version.ts'
import { DatabaseSync as Database } from '../system/sqlite.ts'

const BUSY_MS = 10_000
const WAITING = WAITING_STATES.map((state) => `'${state}'`).join(', ')

/** Locks the SQLite store of a home. Other processes can't write until it is released; what they read does not change. */
export async function lockSqliteStore(home: Pick<Home, 'store' | 'dir'>): Promise<LockedStore> {
  const file = home.store
  if (!existsSync(file)) (await openDatabase(file, false)).close()
  let db: DatabaseSync | undefined
  try {
    db = new Database(file, { timeout: BUSY_MS, defensive: true })
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
    db.exec('PRAGMA secure_delete = ON; PRAGMA cache_size = -8000; BEGIN IMMEDIATE')
    return lockedStore(db, home, openState(db, file))
  } catch (error) {
    db?.close()
    throw storeError(error, 'CS_STORE_OPEN', `cannot lock the store \`${file}\``)
  }
}

function lockedStore(db: DatabaseSync, home: Pick<Home, 'store' | 'dir'>, state: StoreState): LockedStore {
  const inserts = new Map<StoreTable, ReturnType<DatabaseSync['prepare']>>()
  const guarded = <T>(code: 'CS_STORE_READ' | 'CS_STORE_WRITE', run: () => T): T => {
    try {
      return run()
    } catch (error) {
      throw storeError(error, code, `cannot copy the store \`${home.store}\``)
    }
  }
  return Object.freeze({
    shown: home.store,
    state,
    journal: journalOf(db),
    async isEmpty() {
      return STORE_TABLES.every(({ name }) => db.prepare(`SELECT 1 FROM ${name} LIMIT 1`).get() === undefined)
    },
    async *rows(table: StoreTable) {
      const order = table.order?.map((name) => `"${name}"`).join(', ') ?? 'rowid'
      let page: StoreRow[] = []
      for (const row of db.prepare(`SELECT ${namesOf(table)} FROM ${table.name} ORDER BY ${order}`).iterate()) {
        page.push(guarded('CS_STORE_READ', () => storeRowOf(table, row, { text })))
        if (page.length < table.page) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    gateLists: async () => readGateLists(home),
    async clear() {
      for (const { name } of STORE_TABLES) db.exec(`DELETE FROM ${name}`)
      db.exec("DELETE FROM held; UPDATE head SET size = 0, frontier = ''")
    },
    async add(table: StoreTable, rows: readonly StoreRow[]) {
      const { name, columns } = table
      const sql = `INSERT INTO ${name} (${namesOf(table)}) VALUES (${columns.map(() => '?').join(', ')})`
      const insert = inserts.get(table) ?? db.prepare(sql)
      inserts.set(table, insert)
      guarded('CS_STORE_WRITE', () => {
        for (const row of rows) insert.run(...columns.map((column) => row[column.name] ?? null))
      })
    },
    async complete({ size, frontier }, lists) {
      guarded('CS_STORE_WRITE', () => {
        db.prepare('UPDATE head SET size = ?, frontier = ?').run(size, frontier)
        const of = `count(*) FROM call WHERE state <> 'closed' AND state IN (${WAITING})`
        db.exec(`INSERT INTO held SELECT 't', ${of}`)
        db.exec(`INSERT INTO held SELECT coalesce('s' || session, 'n'), ${of} GROUP BY session`)
        if (lists.length > 0) writeGateLists(home, lists)
      })
    },
    async commit(next: StoreState) {
      guarded('CS_STORE_WRITE', () => {
        writeState(db, next)
        db.exec('COMMIT')
      })
    },
    async release() {
      if (!db.isOpen) return
      if (db.isTransaction) db.exec('ROLLBACK')
      db.close()
    },
  } satisfies LockedStore)
}

function namesOf({ columns }: StoreTable): string {
  return columns.map(({ name }) => `"${name}"`).join(', ')
}

function journalOf(db: DatabaseSync): JournalSource {
  return {
    head: async () => headOf(db.prepare('SELECT size, frontier FROM head').get() ?? {}),
    entries: async (from, to) =>
      db.prepare('SELECT * FROM entry WHERE seq BETWEEN ? AND ? ORDER BY seq').all(from, to).map(entryOf),
    spans: async () => db.prepare('SELECT * FROM span ORDER BY "from"').all().map(spanOf),
    checkpoints: async () => db.prepare('SELECT * FROM checkpoint ORDER BY size').all().map(checkpointOf),
  }
}
