import { hash } from 'node:crypto'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CountersignError, isJsonObject, type Json } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile } from '@countersign/node'
import { parseJson } from '../../json/parse-json.ts'
import { mcpFolder } from '../../pins/label-files.ts'
import { listOf, removeFile } from '../../pins/pin-files.ts'

/** A configuration file before and after wrapping. */
export interface WrappedFile {
  readonly path: string
  readonly before: string
  readonly after: string
  /** Each wrapped server, before and after. */
  readonly entries: readonly WrappedEntry[]
  readonly at: number
}

export interface WrappedEntry {
  readonly path: readonly string[]
  /** The words that start Countersign. */
  readonly launcher: readonly string[]
  readonly before: string
  readonly after: string
  /** A hash of its environment, which TOML may keep outside the entry's text. */
  readonly environment: string
}

const MAX_BYTES = 67_108_864
const MAX_ENTRIES = 10_000
const MAX_STEPS = 16
const MAX_WORDS = 64

/** The path of a file's backup: in the home, because it may hold secrets. */
function backupPath(home: Home, path: string): string {
  return join(mcpFolder(home), `${hash('sha256', path, 'hex').slice(0, 24)}.wrapped.json`)
}

/**
 * Writes the backup of a file, and returns an undo. A file that is unchanged since an earlier wrapping keeps its first backup;
 * entries wrapped earlier are kept in any case.
 */
export function keepBackup(home: Home, file: WrappedFile): () => void {
  const known = readBackup(home, file.path)
  const isReplaced = (old: WrappedEntry) => file.entries.some(({ path }) => isDeepStrictEqual(path, old.path))
  // A renamed entry is still in the text, even if another entry has its old name.
  const older = (known?.entries ?? []).filter((old) => !isReplaced(old) || file.after.includes(old.after))
  const before = known !== undefined && known.after === file.before ? known.before : file.before
  writeBackup(home, { ...file, before, entries: [...older, ...file.entries].slice(-MAX_ENTRIES) })
  return () => (known === undefined ? dropBackup(home, file.path) : writeBackup(home, known))
}

function writeBackup(home: Home, file: WrappedFile): void {
  openOwnFolder(mcpFolder(home), 'CS_CLIENT_CONFIG')
  replaceOwnFile(backupPath(home, file.path), `${JSON.stringify({ version: 1, ...file })}\n`)
}

/** The backup of a file; undefined when there is none. CS_CLIENT_CONFIG when it is damaged. */
export function readBackup(home: Home, path: string): WrappedFile | undefined {
  const place = backupPath(home, path)
  const text = readOwnFile(place, MAX_BYTES, 'CS_CLIENT_CONFIG')
  if (text === undefined) return undefined
  const file = parseJson(text)
  if (isJsonObject(file) && file['version'] === 1) {
    const { before, after, at } = file
    const entries = listOf(file['entries'], MAX_ENTRIES, readText)
    if (typeof before === 'string' && typeof after === 'string' && typeof at === 'number' && entries !== undefined)
      return { path, before, after, at, entries }
  }
  throw new CountersignError('CS_CLIENT_CONFIG', `the backup \`${place}\` is damaged; move it away`)
}

/** Keeps only the entries that are still behind the gate; deletes the backup when there are none. */
export function keepRemaining(home: Home, file: WrappedFile): void {
  if (file.entries.length === 0) dropBackup(home, file.path)
  else writeBackup(home, file)
}

function dropBackup(home: Home, path: string): void {
  removeFile(backupPath(home, path))
}

function readText(value: Json): WrappedEntry | undefined {
  if (!isJsonObject(value)) return undefined
  const { before, after, environment } = value
  if (typeof before !== 'string' || typeof after !== 'string' || typeof environment !== 'string') return undefined
  const path = listOf(value['path'], MAX_STEPS, textOf)
  const launcher = listOf(value['launcher'], MAX_WORDS, textOf)
  if (path === undefined || launcher === undefined) return undefined
  return { path, launcher, before, after, environment }
}

function textOf(value: Json): string | undefined {
  return typeof value === 'string' ? value : undefined
}
