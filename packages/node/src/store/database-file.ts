import { closeSync, lstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError } from '@countersign/core'
import { openOwnFolder, systemCode } from '../files/private-file.ts'
import { DatabaseSync } from '../system/sqlite.ts'
import { APPLICATION_ID, SCHEMA, SCHEMA_VERSION } from './schema.ts'
import { isBusy, storeError } from './sqlite-error.ts'

const BUSY_MS = 5000
const TRIES = 100
const BETWEEN_TRIES_MS = 20

/** Opens a store's database, and on first use makes it: mode 0600, in a folder of this account's own. */
export async function openDatabase(file: string, readOnly: boolean): Promise<DatabaseSync> {
  if (!readOnly) {
    openOwnFolder(dirname(file), 'CS_STORE_OPEN')
    createFile(file)
  }
  checkFile(file)
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly, timeout: BUSY_MS, enableForeignKeyConstraints: true, defensive: true })
    db.exec('PRAGMA trusted_schema = OFF')
    if (readOnly) checkVersion(db, file)
    else await prepareForWriting(db, file)
    return db
  } catch (error) {
    db?.close()
    throw storeError(error, 'CS_STORE_OPEN', `cannot open the store \`${file}\``)
  }
}

async function prepareForWriting(db: DatabaseSync, file: string): Promise<void> {
  // Two processes that make the store at once: SQLite does not wait for its own lock when the journal mode changes.
  for (let attempt = 1; ; attempt++) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      break
    } catch (error) {
      if (!isBusy(error) || attempt === TRIES) throw error
      await pause(BETWEEN_TRIES_MS)
    }
  }
  db.exec('PRAGMA synchronous = NORMAL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON; PRAGMA cache_size = -8000')
  db.exec('BEGIN IMMEDIATE')
  try {
    if (isEmpty(db)) db.exec(SCHEMA)
    checkVersion(db, file)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function checkVersion(db: DatabaseSync, file: string): void {
  const version = pragma(db, 'user_version')
  if (pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new CountersignError(
      'CS_STORE_OPEN',
      `\`${file}\` is not a Countersign store; move it away or restore a backup`,
    )
  }
  if (version > SCHEMA_VERSION) {
    throw new CountersignError(
      'CS_STORE_VERSION',
      `\`${file}\` was made by a newer Countersign (store version ${version}, this one knows ${SCHEMA_VERSION}); update Countersign`,
    )
  }
  if (version === SCHEMA_VERSION && shapeOf(db) !== expectedShape()) {
    throw new CountersignError(
      'CS_STORE_OPEN',
      `the tables of \`${file}\` are not those Countersign makes; keep a copy, then restore a backup`,
    )
  }
  if (version !== SCHEMA_VERSION) {
    throw new CountersignError(
      'CS_STORE_VERSION',
      `\`${file}\` has store version ${version}, which this Countersign does not know; restore a backup`,
    )
  }
}

/** SECURITY: A29 a trigger or a view somebody added would act inside our own transactions. */
function shapeOf(db: DatabaseSync): string {
  const sql =
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name"
  return JSON.stringify(db.prepare(sql).all())
}

let expected: string | undefined

function expectedShape(): string {
  if (expected !== undefined) return expected
  const fresh = new DatabaseSync(':memory:')
  try {
    fresh.exec(SCHEMA)
    expected = shapeOf(fresh)
    return expected
  } finally {
    fresh.close()
  }
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT count(*) AS n FROM sqlite_schema').get()?.['n'] === 0 && pragma(db, 'user_version') === 0
}

function pragma(db: DatabaseSync, name: string): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name])
}

/** Made before SQLite sees it: SQLite would use the umask. Its companions take over the file's mode. */
function createFile(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return
    throw new CountersignError(
      'CS_STORE_OPEN',
      `cannot make the store \`${file}\` (${systemCode(error)}); make its folder writable for this account`,
      { cause: error },
    )
  }
}

/**
 * Looks by name only. INVARIANT: the database is never opened by another descriptor; closing that would drop the
 * locks of every connection this process has on it.
 */
function checkFile(file: string): void {
  let stats: ReturnType<typeof lstatSync>
  try {
    stats = lstatSync(file)
  } catch (error) {
    throw new CountersignError('CS_STORE_OPEN', `there is no store at \`${file}\`; run a command that writes first`, {
      cause: error,
    })
  }
  if (!stats.isFile()) throw new CountersignError('CS_STORE_OPEN', `\`${file}\` is not a regular file; move it away`)
  if ((stats.mode & 0o077) !== 0)
    throw new CountersignError('CS_STORE_OPEN', `\`${file}\` is open to other users; run \`chmod 600 ${file}\``)
}

/** Prepares statements once, by their text. */
export type StatementCache = (sql: string) => StatementSync

export function createStatementCache(db: DatabaseSync): StatementCache {
  const statements = new Map<string, StatementSync>()
  return (sql) => {
    let statement = statements.get(sql)
    if (statement === undefined) {
      statement = db.prepare(sql)
      statements.set(sql, statement)
    }
    return statement
  }
}
