import { closeSync, openSync } from 'node:fs'
import { storeError } from '../store/sqlite-error.ts'
import { vacuumInto } from '../store/store-copy.ts'
import { MOVED } from '../store/store-version.ts'
import { DatabaseSync } from '../system/sqlite.ts'

const BUSY_MS = 10_000

/** Copies the store, also while others write it: the copy is one moment of it. The copy of a moved store is usable again. */
export function copyStoreTo(file: string, copy: string): void {
  closeSync(openSync(copy, 'wx', 0o600))
  vacuumInto(file, copy)
  withDatabase(copy, (db) => {
    const version = versionOf(db)
    if (version >= MOVED) db.exec(`PRAGMA user_version = ${version - MOVED}`)
  })
}

/** Copies the store and marks it as moved: what is not in the copy was never written. */
export function moveStoreTo(file: string, copy: string): void {
  markMoved(file, () => copyStoreTo(file, copy))
}

/**
 * Marks a store as moved, after `before` ran while nobody else could write. Every process that has it open stops at its
 * next access; if `before` throws, the store stays as it was.
 */
export function markMoved(file: string, before: (size: number) => void): void {
  withDatabase(file, (db) => {
    db.exec('BEGIN IMMEDIATE')
    try {
      before(Number(db.prepare('SELECT size FROM head').get()?.['size'] ?? 0))
      const version = versionOf(db)
      if (version < MOVED) db.exec(`PRAGMA user_version = ${version + MOVED}`)
      db.exec('COMMIT')
    } catch (error) {
      if (db.isTransaction) db.exec('ROLLBACK')
      throw error
    }
  })
}

/** Whether a store belongs to a home that was moved. */
export function isMovedStore(file: string): boolean {
  return withDatabase(file, (db) => versionOf(db) >= MOVED)
}

function withDatabase<T>(file: string, work: (db: DatabaseSync) => T): T {
  let db: DatabaseSync | undefined
  try {
    db = new DatabaseSync(file, { timeout: BUSY_MS, defensive: true })
    db.exec('PRAGMA trusted_schema = OFF; PRAGMA synchronous = FULL; PRAGMA fullfsync = ON')
    return work(db)
  } catch (error) {
    throw storeError(error, 'CS_STORE_OPEN', `cannot copy the store \`${file}\``)
  } finally {
    db?.close()
  }
}

function versionOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'])
}
