import { closeSync, openSync } from 'node:fs'
import { CountersignError } from '@countersign/core'
import { DatabaseSync } from '../system/sqlite.ts'
import type { Home } from './home.ts'

const PATIENCE_MS = 10_000

/**
 * Runs `work` while no other process of this home does the same. The lock is SQLite's on an empty database: the
 * system drops it when its holder dies, so it can be neither stale nor stolen.
 */
export function withHomeLock<T>(home: Home, work: () => T): T {
  const lock = take(home)
  try {
    return work()
  } finally {
    lock.close()
  }
}

function take(home: Home): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    closeSync(openSync(home.lock, 'a', 0o600))
    lock = new DatabaseSync(home.lock, { timeout: PATIENCE_MS })
    // Without a file for its rollback: each would change the times of the home, by which policy is known to be unchanged.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
    return lock
  } catch (error) {
    lock?.close()
    throw new CountersignError(
      'CS_HOME',
      `\`${home.lock}\` cannot be locked; end the process that holds it, or remove it`,
      {
        cause: error,
      },
    )
  }
}
