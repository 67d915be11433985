import { createHash } from 'node:crypto'
import { readdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { CountersignError, isJsonObject, type Json } from '@countersign/core'
import { type Home, openOwnFolder, readOwnFile, replaceOwnFile, systemCode } from '@countersign/node'
import { type HostName, isHostName } from '../contract/host-name.ts'
import type { HookFile } from './hosts/hook-files.ts'

/** A file that `init` changed: what it was, and what `init` made of it. */
export interface UndoRecord {
  readonly host: HostName
  /** The real path. */
  readonly path: string
  readonly kind: HookFile['kind']
  /** Null if the file did not exist. */
  readonly before: string | null
  readonly after: string
  /** Folders that were created for it, outermost first. */
  readonly folders: readonly string[]
  readonly at: number
}

const KINDS: readonly string[] = ['hooks', 'member', 'toml', 'own'] satisfies readonly HookFile['kind'][]
const MAX_BYTES = 67_108_864

/** Every record in the home. Throws CS_HOME if one is damaged. */
export function readRecords(home: Home): readonly UndoRecord[] {
  const folder = folderOf(home)
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readRecord(join(folder, name)))
}

/** The record of a file; undefined if `init` did not change it. */
export function findRecord(home: Home, path: string): UndoRecord | undefined {
  const place = placeOf(home, path)
  const text = readOwnFile(place, MAX_BYTES, 'CS_HOME')
  return text === undefined ? undefined : parse(text, place)
}

/** Keeps a record. Returns how to take it back if the file can't be written. */
export function keepRecord(home: Home, record: UndoRecord): () => void {
  const known = findRecord(home, record.path)
  openOwnFolder(join(home.dir, 'hosts'), 'CS_HOME')
  openOwnFolder(folderOf(home), 'CS_HOME')
  write(home, record)
  return () => (known === undefined ? dropRecord(home, record.path) : write(home, known))
}

export function dropRecord(home: Home, path: string): void {
  try {
    unlinkSync(placeOf(home, path))
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
}

function write(home: Home, record: UndoRecord): void {
  replaceOwnFile(placeOf(home, record.path), `${JSON.stringify({ version: 1, ...record })}\n`)
}

function folderOf(home: Home): string {
  return join(home.dir, 'hosts', 'undo')
}

function placeOf(home: Home, path: string): string {
  return join(folderOf(home), `${createHash('sha256').update(path).digest('hex').slice(0, 24)}.json`)
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return []
    throw error
  }
}

function readRecord(place: string): UndoRecord {
  const text = readOwnFile(place, MAX_BYTES, 'CS_HOME')
  if (text === undefined) throw damaged(place)
  return parse(text, place)
}

function parse(text: string, place: string): UndoRecord {
  const record = recordOf(parsed(text))
  if (record === undefined) throw damaged(place)
  return record
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}

function recordOf(value: Json): UndoRecord | undefined {
  if (!isJsonObject(value) || value['version'] !== 1) return undefined
  const { host, path, kind, before, after, folders, at } = value
  if (typeof host !== 'string' || !isHostName(host) || typeof path !== 'string') return undefined
  if (typeof kind !== 'string' || !KINDS.includes(kind) || typeof after !== 'string' || typeof at !== 'number')
    return undefined
  if (before !== null && typeof before !== 'string') return undefined
  const list = Array.isArray(folders) ? (folders as readonly Json[]) : []
  return {
    host,
    path,
    kind: kind as UndoRecord['kind'],
    before,
    after,
    folders: list.filter((folder) => typeof folder === 'string'),
    at,
  }
}

function damaged(place: string): CountersignError {
  return new CountersignError(
    'CS_HOME',
    `\`${place}\` is damaged, so this file can't be restored; move it away and run \`countersign init\` again`,
  )
}
