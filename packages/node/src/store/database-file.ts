import { closeSync, lstatSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { StatementSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError } from '@countersign/core'
import { openOwnFolder, systemCode } from '../files/private-file.ts'
import { DatabaseSync } from '../system/sqlite.ts'
import { isBusy, storeError } from './sqlite-error.ts'
import { bringUpToDate, checkVersion, type UpdateStep } from './store-version.ts'

const BUSY_MS = 5000
const TRIES = 100
const BETWEEN_TRIES_MS = 20
/** Another process may be copying a large store before an update. Each try waits for `BUSY_MS` by itself. */
const TRIES_TO_BEGIN = 6

/** Opens a store's database, and on first use makes it: mode 0600, in a folder of this account's own. Updates an older one. */
export async function openDatabase(
  file: string,
  readOnly: boolean,
  passed?: (step: UpdateStep) => void,
): Promise<DatabaseSync> {
  if (!readOnly) {
    openOwnFolder(dirname(file), 'CS_STORE_OPEN')
    createFile(file)
  }
  checkFile(file)
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { readOnly, timeout: BUSY_MS, enableForeignKeyConstraints: true, defensive: true })
    db.exec('PRAGMA trusted_schema = OFF')
    if (readOnly) checkVersion(db, file, 'current')
    else await prepareForWriting(db, file, passed)
    return db
  } catch (error) {
    db?.close()
    throw storeError(error, 'CS_STORE_OPEN', `cannot open the store \`${file}\``)
  }
}

async function prepareForWriting(db: DatabaseSync, file: string, passed?: (step: UpdateStep) => void): Promise<void> {
  // Two processes that make the store at once: SQLite does not wait for its own lock when the journal mode changes.
  await retryBusy(TRIES, () => db.exec('PRAGMA journal_mode = WAL'))
  db.exec('PRAGMA synchronous = FULL; PRAGMA fullfsync = ON; PRAGMA secure_delete = ON; PRAGMA cache_size = -8000')
  await retryBusy(TRIES_TO_BEGIN, () => db.exec('BEGIN IMMEDIATE'))
  try {
    bringUpToDate(db, file, passed)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
  db.exec('PRAGMA synchronous = NORMAL')
}

async function retryBusy(tries: number, run: () => void): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      run()
      return
    } catch (error) {
      if (!isBusy(error) || attempt === tries) throw error
      await pause(BETWEEN_TRIES_MS)
    }
  }
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
