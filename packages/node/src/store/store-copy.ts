import { closeSync, fsyncSync, lstatSync, openSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { syncFolder } from '../files/private-file.ts'
import { DatabaseSync } from '../system/sqlite.ts'

/** Copies kept of each version. */
const KEPT = 2

/**
 * Copies the store beside itself before an update, as `store.v1.20260131T080000000Z.db` with the store's permissions.
 * The caller has the write lock, so that the copy is exactly what the update begins with. Returns its path.
 */
export function copyStore(file: string, version: number, now: number): string {
  const folder = dirname(file)
  const name = `${stem(file)}.v${version}.${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}.db`
  const copy = join(folder, name)
  removeUnfinished(file)
  const temporary = `${copy}.tmp`
  try {
    closeSync(openSync(temporary, 'wx', lstatSync(file).mode & 0o700))
    vacuumInto(file, temporary)
    syncFile(temporary)
    renameSync(temporary, copy)
    syncFolder(folder)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  prune(file, version, name)
  return copy
}

/** By a connection of its own: SQLite does not copy from inside a transaction. */
export function vacuumInto(file: string, copy: string): void {
  const reader = new DatabaseSync(file, { readOnly: true, defensive: true })
  try {
    reader.exec('PRAGMA trusted_schema = OFF')
    reader.prepare('VACUUM INTO ?').run(copy)
  } finally {
    reader.close()
  }
}

function syncFile(path: string): void {
  const fd = openSync(path, 'r+')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** Of a process that died while it copied: whoever has the write lock is alone here. */
function removeUnfinished(file: string): void {
  for (const name of copiesOf(file, /^\d+\.\d{8}T\d{9}Z\.db\.tmp(?:-journal)?$/))
    rmSync(join(dirname(file), name), { force: true })
}

function prune(file: string, version: number, newest: string): void {
  const older = copiesOf(file, new RegExp(`^${version}\\.\\d{8}T\\d{9}Z\\.db$`)).filter((name) => name !== newest)
  for (const name of older
    .toSorted()
    .toReversed()
    .slice(KEPT - 1))
    rmSync(join(dirname(file), name), { force: true })
}

/** Names beside the store that begin as its copies do, by what follows. */
function copiesOf(file: string, rest: RegExp): readonly string[] {
  const start = `${stem(file)}.v`
  return readdirSync(dirname(file)).filter((name) => name.startsWith(start) && rest.test(name.slice(start.length)))
}

function stem(file: string): string {
  return basename(file, '.db')
}
