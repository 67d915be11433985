import type { DatabaseSync, StatementSync } from 'node:sqlite'
import {
  type CallQuery,
  type Change,
  type Committed,
  CountersignError,
  type Crypto,
  type Store,
} from '@countersign/core'
import { allOfCall, findCalls, outlineOfCall } from './call-query.ts'
import { ChangeWriter } from './change-writer.ts'
import { createStatementCache, openDatabase, type StatementCache } from './database-file.ts'
import { FileChanges } from './file-changes.ts'
import { CommitGroup, type Written } from './group-commit.ts'
import { callOf, checkpointOf, count, entryOf, grantOf, headOf, spanOf } from './row-mapping.ts'
import { SCHEMA_VERSION } from './schema.ts'
import { storeError } from './sqlite-error.ts'
import { versionChanged } from './store-version.ts'
import { WalSync } from './wal-sync.ts'

export interface SqliteStoreOptions {
  readonly crypto: Crypto
  /** Wall-clock milliseconds; the system's when absent. */
  readonly now?: () => number
  /** Opens for reading only: every commit is refused. */
  readonly readOnly?: boolean
  /** Upper bound of the file, in pages of 4 KiB: what lies beyond is a full disk. */
  readonly maxPages?: number
}

/** Grants that ended are still listed for a day. */
const LISTED_AFTER_END_MS = 86_400_000
const MOST_GRANTS = 10_000
/** Rows deleted at once after a rotation: other writers get their turn in between. */
const PURGE = 5000

/** The store on one SQLite file (write-ahead log). Several processes may have it open at once. */
export async function openSqliteStore(file: string, options: SqliteStoreOptions): Promise<Store> {
  const db = await openDatabase(file, options.readOnly === true)
  try {
    if (options.maxPages !== undefined) db.exec(`PRAGMA max_page_count = ${Math.trunc(options.maxPages)}`)
    return new SqliteStore(db, file, options)
  } catch (error) {
    db.close()
    throw storeError(error, 'CS_STORE_OPEN', `cannot open the store \`${file}\``)
  }
}

class SqliteStore implements Store {
  readonly #db: DatabaseSync
  readonly #file: string
  readonly #now: () => number
  readonly #writer: ChangeWriter | undefined
  readonly #sync: WalSync
  readonly #group = new CommitGroup((changes) => this.#commitAll(changes))
  readonly #statement: StatementCache
  readonly #files: FileChanges
  readonly #begin: StatementSync
  readonly #end: StatementSync
  readonly #version: StatementSync
  #level: 'NORMAL' | 'FULL' = 'NORMAL'
  #open = true

  constructor(db: DatabaseSync, file: string, options: SqliteStoreOptions) {
    this.#db = db
    this.#statement = createStatementCache(db)
    this.#files = new FileChanges(db)
    this.#file = file
    this.#now = options.now ?? Date.now
    this.#writer = options.readOnly === true ? undefined : new ChangeWriter(db, options.crypto)
    this.#sync = new WalSync(file)
    this.#begin = db.prepare('BEGIN IMMEDIATE')
    this.#end = db.prepare('COMMIT')
    this.#version = db.prepare('PRAGMA user_version')
  }

  commit(change: Change, beside = 0): Promise<Committed> {
    return this.#group.add(change, beside > 0)
  }

  async saveCheckpoint(size: number, note: string): Promise<void> {
    this.#write(false, () => {
      this.#statement('INSERT INTO checkpoint VALUES (?, ?) ON CONFLICT DO NOTHING').run(size, note)
      return 'commit'
    })
  }

  call(id: string) {
    return this.#read(() => {
      const row = this.#statement('SELECT * FROM call WHERE id = ?').get(id)
      return row === undefined ? undefined : callOf(row)
    })
  }

  calls(query: CallQuery) {
    return this.#read(() => findCalls(this.#db, query))
  }

  grants() {
    return this.#read(() => {
      const ended = this.#now() - LISTED_AFTER_END_MS
      const sql =
        'SELECT * FROM standing WHERE coalesce(revokedAt, ?) >= ? AND coalesce(expiresAt, ?) >= ? ORDER BY rowid DESC LIMIT ?'
      return this.#statement(sql).all(ended, ended, ended, ended, MOST_GRANTS).map(grantOf).reverse()
    })
  }

  counted(session: string, name: string, from: number) {
    return this.#read(() => {
      const sql = 'SELECT coalesce(sum(amount), 0) AS n FROM counter WHERE session = ? AND name = ? AND at >= ?'
      return count(this.#statement(sql).get(session, name, from) ?? {}, 'n')
    })
  }

  changes(workspace: string) {
    return this.#read(() => this.#files.of(workspace))
  }

  changedWorkspaces() {
    return this.#read(() => this.#files.workspaces())
  }

  version(): number {
    return this.#guard('CS_STORE_READ', () => count(this.#statement('PRAGMA data_version').get() ?? {}, 'data_version'))
  }

  head() {
    return this.#read(() => headOf(this.#statement('SELECT size, frontier FROM head').get() ?? {}))
  }

  entries(from: number, to: number) {
    return this.#read(() =>
      this.#statement('SELECT * FROM entry WHERE seq BETWEEN ? AND ? ORDER BY seq').all(from, to).map(entryOf),
    )
  }

  entriesOf(callId: string) {
    return this.#read(() => allOfCall(this.#db, callId))
  }

  outlineOf(callId: string, most: number) {
    return this.#read(() => outlineOfCall(this.#db, callId, most))
  }

  spans() {
    return this.#read(() => this.#statement('SELECT * FROM span ORDER BY "from"').all().map(spanOf))
  }

  checkpoints() {
    return this.#read(() => this.#statement('SELECT * FROM checkpoint ORDER BY size').all().map(checkpointOf))
  }

  async close(): Promise<void> {
    if (!this.#open) return
    this.#group.close()
    this.#open = false
    try {
      await this.#sync.close()
    } catch (error) {
      throw storeError(error, 'CS_STORE_WRITE', `cannot bring the store \`${this.#file}\` to the disk`)
    } finally {
      this.#db.close()
    }
  }

  /** All changes of one moment in one transaction; each of them happens whole or not at all. */
  #commitAll(changes: readonly Change[]): readonly Written[] {
    const durable = changes.some((change) => change.durable)
    const written =
      changes.length === 1
        ? this.#commitOne(changes, durable)
        : (this.#commitTogether(changes, durable) ?? this.#commitApart(changes, durable))
    for (const [at, change] of changes.entries()) if (isDone(written[at])) this.#purge(change.archive?.at(-1)?.to)
    return written
  }

  #commitOne(changes: readonly Change[], durable: boolean): readonly Written[] {
    const written: Written[] = []
    this.#write(durable, (writer) => {
      for (const change of changes) written.push({ committed: writer.apply(change) })
      return written.every(isDone) ? 'commit' : 'roll-back'
    })
    return written
  }

  /** The quick way, which nearly always works; null when one of them stands in the way, and nothing happened. */
  #commitTogether(changes: readonly Change[], durable: boolean): readonly Written[] | null {
    let all: readonly Committed[] | null = null
    this.#write(durable, (writer) => {
      try {
        all = writer.applyAll(changes)
      } catch (error) {
        if (!this.#db.isTransaction) throw error // it ended for all of them
      }
      return all === null ? 'roll-back' : 'commit'
    })
    return (all as readonly Committed[] | null)?.map((committed) => ({ committed })) ?? null
  }

  #commitApart(changes: readonly Change[], durable: boolean): readonly Written[] {
    const written: Written[] = []
    this.#write(durable, (writer) => {
      for (const change of changes) written.push(this.#applyApart(writer, change))
      return 'commit'
    })
    return written
  }

  /** One change among others: what refuses it takes nothing else along. A failure that ended the transaction ends them all. */
  #applyApart(writer: ChangeWriter, change: Change): Written {
    this.#statement('SAVEPOINT change').run()
    let written: Written
    try {
      written = { committed: writer.apply(change) }
    } catch (error) {
      if (!this.#db.isTransaction) throw error
      written = { error: this.#asStoreError('CS_STORE_WRITE', error) }
    }
    if (!isDone(written)) this.#statement('ROLLBACK TO change').run()
    this.#statement('RELEASE change').run()
    return written
  }

  /** One transaction: all of it happens, or a throw leaves nothing behind. */
  #write(durable: boolean, apply: (writer: ChangeWriter) => 'commit' | 'roll-back'): void {
    this.#guard('CS_STORE_WRITE', () => {
      if (this.#writer === undefined)
        throw new CountersignError(
          'CS_STORE_WRITE',
          `the store \`${this.#file}\` is open for reading only; open it for writing`,
        )
      if (this.#sync.failed !== undefined)
        throw new CountersignError(
          'CS_STORE_WRITE',
          `the disk failed under the store \`${this.#file}\`; check the disk, then restart`,
          { cause: this.#sync.failed },
        )
      this.#setLevel(durable ? 'FULL' : 'NORMAL')
      this.#begin.run()
      try {
        this.#checkVersion()
        if (apply(this.#writer) === 'roll-back') return
        this.#end.run()
        if (durable) this.#sync.clean()
        else this.#sync.touch()
      } finally {
        if (this.#db.isTransaction) this.#statement('ROLLBACK').run()
      }
    })
  }

  /** FULL: SQLite syncs the log before a commit returns. Cheap to set, but not free. */
  #setLevel(level: 'NORMAL' | 'FULL'): void {
    if (this.#level === level) return
    this.#db.exec(`PRAGMA synchronous = ${level}`)
    this.#level = level
  }

  /** Drops archived lines. What fails here is only left over: these rows are no part of the journal any more. */
  #purge(through: number | undefined): void {
    if (through === undefined) return
    const sql = `DELETE FROM entry WHERE seq <= ? AND seq < (SELECT min(seq) FROM entry) + ${PURGE}`
    try {
      while (this.#statement(sql).run(through).changes !== 0);
      this.#sync.touch()
    } catch {
      return
    }
  }

  async #read<T>(read: () => T): Promise<T> {
    return this.#guard('CS_STORE_READ', () => {
      this.#checkVersion()
      return read()
    })
  }

  /** INVARIANT: L3, a program that another version overtook stops instead of writing what that version misreads. */
  #checkVersion(): void {
    const version = count(this.#version.get() ?? {}, 'user_version')
    if (version !== SCHEMA_VERSION) throw versionChanged(this.#db, this.#file, version)
  }

  #guard<T>(code: 'CS_STORE_READ' | 'CS_STORE_WRITE', run: () => T): T {
    if (!this.#open) throw new CountersignError(code, `the store \`${this.#file}\` was closed; open it again`)
    try {
      return run()
    } catch (error) {
      throw this.#asStoreError(code, error)
    }
  }

  #asStoreError(code: 'CS_STORE_READ' | 'CS_STORE_WRITE', error: unknown): CountersignError {
    return storeError(error, code, `cannot ${code === 'CS_STORE_READ' ? 'read' : 'write'} the store \`${this.#file}\``)
  }
}

function isDone(written: Written | undefined): boolean {
  return written !== undefined && 'committed' in written && written.committed.kind === 'committed'
}
