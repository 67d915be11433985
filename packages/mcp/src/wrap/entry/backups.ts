import { hash } from 'node:crypto'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { CountersignError, type Json } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile } from '@countersign/node'
import { mcpFolder } from '../../identity/state-folder.ts'
import { isObject, parseJson } from '../../json/value.ts'
import { listOf } from '../../pins/file.ts'
import { removeFile } from '../../pins/quarantine-file.ts'

/** What one file was before it was wrapped, and what was made of it. */
export interface WrappedFile {
  readonly path: string
  readonly before: string
  readonly after: string
  /** The text of each server that was wrapped, before and after. */
  readonly entries: readonly WrappedText[]
  readonly at: number
}

export interface WrappedText {
  readonly path: readonly string[]
  /** The words that start Countersign in it. */
  readonly launcher: readonly string[]
  readonly before: string
  readonly after: string
  /** The hash of what it had for an environment then: in TOML that may stand apart from its text. */
  readonly environment: string
}

const MAX_BYTES = 67_108_864
const MAX_ENTRIES = 10_000
const MAX_STEPS = 16
const MAX_WORDS = 64

/** Where the backup of a file lies: secrets of an environment may be in it, so it is in the home. */
function backupPath(home: Home, path: string): string {
  return join(mcpFolder(home), `${hash('sha256', path, 'hex').slice(0, 24)}.wrapped.json`)
}

/**
 * Keeps what a file was, and returns how to keep what was kept before. One that was wrapped before keeps its first backup
 * as long as it is still what was left of it; the text of a server that was wrapped before is kept in either case.
 */
export function keepBackup(home: Home, file: WrappedFile): () => void {
  const known = readBackup(home, file.path)
  const isReplaced = (old: WrappedText) => file.entries.some(({ path }) => isDeepStrictEqual(path, old.path))
  // The text of one that was renamed is there still, whoever has its name now.
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
  if (isObject(file) && file['version'] === 1) {
    const { before, after, at } = file
    const entries = listOf(file['entries'], MAX_ENTRIES, readText)
    if (typeof before === 'string' && typeof after === 'string' && typeof at === 'number' && entries !== undefined)
      return { path, before, after, at, entries }
  }
  throw new CountersignError('CS_CLIENT_CONFIG', `the backup \`${place}\` is damaged; move it away`)
}

/** Keeps of a backup only what still stands behind the gate; without any it is dropped. */
export function keepRest(home: Home, file: WrappedFile): void {
  if (file.entries.length === 0) dropBackup(home, file.path)
  else writeBackup(home, file)
}

function dropBackup(home: Home, path: string): void {
  removeFile(backupPath(home, path))
}

function readText(value: Json): WrappedText | undefined {
  if (!isObject(value)) return undefined
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
