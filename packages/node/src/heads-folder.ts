import { closeSync, constants, fdatasync, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { CountersignError, type Heads } from '@countersign/core'
import type { Home } from './home.ts'
import { withHomeLock } from './home-lock.ts'
import { openOwnFolder, replaceOwnFile, systemCode } from './own-file.ts'

const MOST_KEPT = 4_096

/** Keeps checkpoints in `heads/checkpoints.jsonl`, one JSON string a line, newest last. */
export function openHeads(home: Home): Heads {
  openOwnFolder(home.heads, 'CS_HOME')
  const path = join(home.heads, 'checkpoints.jsonl')
  return Object.freeze({
    keep: (note: string) => keep(home, path, note),
    kept: async () => readNotes(path).notes,
  })
}

async function keep(home: Home, path: string, note: string): Promise<void> {
  const fd = withHomeLock(home, () => {
    const { notes, bytes } = readNotes(path)
    if (notes.length === 0 || notes.length >= MOST_KEPT) {
      replaceOwnFile(path, linesOf([...thinned(notes), note]))
      return undefined
    }
    const opened = openSync(path, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
    // A last line without its end was never promised to anyone: its writer died before it was on disk.
    ftruncateSync(opened, bytes)
    writeSync(opened, linesOf([note]), bytes, 'utf8')
    return opened
  })
  if (fd === undefined) return
  try {
    await promisify(fdatasync)(fd)
  } finally {
    closeSync(fd)
  }
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
    // Falls through: a line that is no JSON and one that is no string are the same damage.
  }
  throw new CountersignError(
    'CS_JOURNAL_DAMAGED',
    `\`${place}\` is not a kept checkpoint; restore the file from a backup`,
  )
}
