import {
  closeSync,
  constants,
  existsSync,
  fdatasync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CountersignError, type Heads } from '@countersign/core'
import { isSameFile } from '../files/file-identity.ts'
import { openOwnFolder, replaceOwnFile, systemCode } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { withHomeLock } from '../home/lock.ts'

const MOST_KEPT = 4_096

/**
 * Keeps checkpoints in `heads/checkpoints.jsonl`, one JSON string a line, newest last; those of a journal that gates share in
 * `heads/shared.jsonl`.
 */
export function openHeads(home: Home): Heads {
  openOwnFolder(home.heads, 'CS_HOME')
  const path = join(home.heads, existsSync(home.gates) ? 'shared.jsonl' : 'checkpoints.jsonl')
  const left: Left = { stats: undefined, count: 0, bytes: 0 }
  return Object.freeze({
    keep: (note: string) => keep(home, path, note, left),
    kept: async () => readNotes(path).notes,
  })
}

/** The file as this process left it: while it is so, it need not be read to be added to. */
interface Left {
  stats: Stats | undefined
  count: number
  bytes: number
}

async function keep(home: Home, path: string, note: string, left: Left): Promise<void> {
  const fd = withHomeLock(home, () => {
    const isLeft = left.count < MOST_KEPT && left.stats !== undefined && isSameFile(left.stats, lookAt(path))
    if (!isLeft) {
      const { notes, bytes } = readNotes(path)
      if (notes.length === 0 || notes.length >= MOST_KEPT) {
        left.stats = undefined
        replaceOwnFile(path, linesOf([...thinned(notes), note]))
        return undefined
      }
      Object.assign(left, { count: notes.length, bytes })
    }
    return append(path, note, left, isLeft)
  })
  if (fd === undefined) return
  try {
    await promisify(fdatasync)(fd)
  } finally {
    closeSync(fd)
  }
}

/** Appends a line and returns the file, not yet synced. */
function append(path: string, note: string, left: Left, isLeft: boolean): number {
  const opened = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  try {
    // A last line without its end was never promised to anyone: its writer died before it was on disk.
    if (!isLeft) ftruncateSync(opened, left.bytes)
    left.stats = undefined
    const line = Buffer.from(linesOf([note]))
    if (writeSync(opened, line, 0, line.length, left.bytes) !== line.length)
      throw new CountersignError('CS_HOME', `\`${path}\` can’t be written; free some disk space`)
    left.bytes += line.length
    left.count += 1
    left.stats = fstatSync(opened)
    return opened
  } catch (error) {
    closeSync(opened)
    throw error
  }
}

function lookAt(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}

/** Drops every other note of the older half; the first and the newest always stay. */
function thinned(notes: readonly string[]): readonly string[] {
  return notes.filter((_, index) => index >= notes.length / 2 || index % 2 === 0)
}

function linesOf(notes: readonly string[]): string {
  return notes.map((note) => `${JSON.stringify(note)}\n`).join('')
}

/** The whole lines of the file, and how many bytes they take. */
function readNotes(path: string): { readonly notes: readonly string[]; readonly bytes: number } {
  const content = readContent(path)
  const bytes = content.lastIndexOf('\n') + 1
  const lines = bytes === 0 ? [] : content.toString('utf8', 0, bytes - 1).split('\n')
  return { notes: lines.map((line, index) => parseNote(line, `${path}:${index + 1}`)), bytes }
}

function readContent(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return Buffer.alloc(0)
    throw new CountersignError('CS_HOME', `\`${path}\` cannot be read; make it readable`, { cause: error })
  }
}

function parseNote(line: string, place: string): string {
  try {
    const note: unknown = JSON.parse(line)
    if (typeof note === 'string') return note
  } catch {
    // Falls through: invalid JSON and a value that is not a string are the same damage.
  }
  throw new CountersignError(
    'CS_JOURNAL_DAMAGED',
    `\`${place}\` is not a kept checkpoint; restore the file from a backup`,
  )
}
