import { closeSync, existsSync, openSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { CountersignError, type ErrorCode } from '@countersign/core'
import { monotonicMs } from '../system/clock.ts'
import { DatabaseSync } from '../system/sqlite.ts'

const LOOK_AGAIN_MS = 50

/**
 * Runs slow work, such as network requests, under a lock that one process holds at a time. Unlike the home lock, it
 * blocks nothing else. The lock is SQLite's on an empty database: the system drops it when its
 * holder dies, so it can be neither stale nor stolen.
 */
export async function withFileLock<T>(
  path: string,
  patienceMs: number,
  code: ErrorCode,
  work: () => Promise<T>,
): Promise<T> {
  const until = monotonicMs() + patienceMs
  let lock = tryLock(path, code)
  while (lock === undefined) {
    if (monotonicMs() > until)
      throw new CountersignError(code, `\`${path}\` has been locked for too long; end the process that holds the lock`)
    await pause(LOOK_AGAIN_MS)
    lock = tryLock(path, code)
  }
  try {
    return await work()
  } finally {
    lock.close()
  }
}

function tryLock(path: string, code: ErrorCode): DatabaseSync | undefined {
  let lock: DatabaseSync | undefined
  try {
    // Only where it is absent: closing a second descriptor of a locked file would drop this process's own lock.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600))
    lock = new DatabaseSync(path, { timeout: 0 })
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE')
    return lock
  } catch (error) {
    lock?.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) return undefined
    throw new CountersignError(code, `\`${path}\` cannot be locked; remove it`, { cause: error })
  }
}
