import { CountersignError, parseEntry, type StoreState, safeText } from '@countersign/core'
import { DatabaseSync } from '../system/sqlite.ts'
import { APPLICATION_ID, SCHEMA_VERSION, schemaFrom } from './schema.ts'
import { storeError } from './sqlite-error.ts'
import { copyStore } from './store-copy.ts'

/** The steps of an update, in order; a test kills the process after each. */
export type UpdateStep = 'locked' | 'copied' | 'changed' | 'checked'

/**
 * Makes an empty database a store, or updates an older one after copying it. The caller began the transaction and ends
 * it: whatever fails here is rolled back, and the store stays as it was.
 */
export function bringUpToDate(db: DatabaseSync, file: string, passed?: (step: UpdateStep) => void): void {
  if (isEmpty(db)) {
    db.exec(schemaFrom(0))
  } else {
    const version = checkVersion(db, file, 'any')
    if (version < SCHEMA_VERSION) update(db, file, version, passed)
  }
}

function update(db: DatabaseSync, file: string, version: number, passed?: (step: UpdateStep) => void): void {
  passed?.('locked')
  const doing = `cannot update the store \`${file}\` from version ${version} to ${SCHEMA_VERSION}, and left it unchanged`
  try {
    copyStore(file, version, Date.now())
    passed?.('copied')
    db.exec(schemaFrom(version))
    passed?.('changed')
    checkVersion(db, file, 'current')
    passed?.('checked')
  } catch (error) {
    throw storeError(error, 'CS_STORE_OPEN', doing)
  }
}

/** Refuses whatever is not a store of a version this program knows, with exactly the tables of that version. */
export function checkVersion(db: DatabaseSync, file: string, wanted: 'any' | 'current'): number {
  const version = pragma(db, 'user_version')
  if (pragma(db, 'application_id') !== APPLICATION_ID)
    throw new CountersignError(
      'CS_STORE_OPEN',
      `\`${file}\` is not a Countersign store; move it away or restore a backup`,
    )
  if (version >= MOVED) throw versionChanged(db, file, version)
  return checkTables(db, file, version, wanted)
}

function checkTables(db: DatabaseSync, file: string, version: number, wanted: 'any' | 'current'): number {
  if (version > SCHEMA_VERSION)
    throw new CountersignError(
      'CS_STORE_VERSION',
      `\`${file}\` was made by a newer Countersign (store version ${version}, this one knows ${SCHEMA_VERSION}); update Countersign`,
    )
  if (version < 1)
    throw new CountersignError(
      'CS_STORE_VERSION',
      `\`${file}\` has store version ${version}, which this Countersign does not know; restore a backup`,
    )
  if (wanted === 'current' && version < SCHEMA_VERSION)
    throw new CountersignError(
      'CS_STORE_VERSION',
      `\`${file}\` was made by an older Countersign (store version ${version}, this one uses ${SCHEMA_VERSION}); run \`countersign held\` to update it`,
    )
  if (shapeOf(db) !== expectedShape(version))
    throw new CountersignError(
      'CS_STORE_OPEN',
      `the tables of \`${file}\` are not those Countersign makes; keep a copy, then restore a backup`,
    )
  return version
}

/** The error of a program that has the store open while another version of Countersign changed it. */
export function versionChanged(db: DatabaseSync, file: string, version: number): CountersignError {
  if (version >= COPIED) return copiedAway(db, file)
  if (version >= MOVED) return movedAway(file)
  return new CountersignError(
    'CS_STORE_VERSION',
    `another version of Countersign changed \`${file}\` (store version ${version}, this program uses ${SCHEMA_VERSION}); update this program and restart it`,
  )
}

/** Added to the version of a store whose home was moved: every program stops at it, also those that have it open. */
export const MOVED = 1_000_000

/** Added to the version of a store whose journal goes on in another one, until it is copied back. */
const COPIED = 2_000_000

/** Reads the state of a store in a transaction, and makes its tables those of this version. */
export function openState(db: DatabaseSync, file: string): StoreState {
  const version = pragma(db, 'user_version')
  if (version < COPIED) {
    checkVersion(db, file, 'current')
    return 'in use'
  }
  const before = checkTables(db, file, version - COPIED, 'any')
  if (before < SCHEMA_VERSION) db.exec(schemaFrom(before))
  return 'moved'
}

/** Writes the state of a store whose tables are those of this version. */
export function writeState(db: DatabaseSync, state: StoreState): void {
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + (state === 'moved' ? COPIED : 0)}`)
}

/** Other processes may have written entries after the one that names the new store. */
const LOOK_BACK = 1000

function copiedAway(db: DatabaseSync, file: string): CountersignError {
  const sql =
    'SELECT line FROM entry WHERE seq > (SELECT max(seq) FROM entry) - ? ' +
    `AND line LIKE '%"kind":"store-copied"%' ORDER BY seq DESC LIMIT 1`
  const line = db.prepare(sql).get(LOOK_BACK)?.['line']
  const to = typeof line === 'string' ? parseEntry(line)?.['to'] : undefined
  return new CountersignError(
    'CS_STORE_OPEN',
    `the journal of \`${file}\` goes on in ${typeof to === 'string' ? `\`${safeText(to)}\`` : 'another store'}; run \`countersign store use\` with its address, and restart this program`,
  )
}

function movedAway(file: string): CountersignError {
  return new CountersignError(
    'CS_HOME',
    `the home of \`${file}\` was moved away; use the new one with \`--home\`, or run \`countersign home restore\` here`,
  )
}

/** SECURITY: A29 a trigger or a view somebody added would act inside our own transactions. */
function shapeOf(db: DatabaseSync): string {
  const sql =
    "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type, name"
  return JSON.stringify(db.prepare(sql).all())
}

const expected = new Map<number, string>()

function expectedShape(version: number): string {
  const known = expected.get(version)
  if (known !== undefined) return known
  const fresh = new DatabaseSync(':memory:')
  try {
    fresh.exec(schemaFrom(0, version))
    const shape = shapeOf(fresh)
    expected.set(version, shape)
    return shape
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
