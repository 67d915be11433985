import { createHash } from 'node:crypto'
import { type BigIntStats, closeSync, constants, fstatSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { isAt } from '../files/held-folder.ts'
import { openBody } from '../files/opened-file.ts'
import { type TreeEntry, treeEntry, unfit } from './file-tree.ts'

const CHUNK = 262_144
/** Neither follows a link nor waits for a writer. */
const NO_TRAPS = constants.O_NOFOLLOW | constants.O_NONBLOCK

/**
 * Copies one file and returns its SHA-256; `syncFiles` puts the copies on disk. SECURITY: A7 what was seen is what is copied: the very
 * file is opened once, and one that took its place meanwhile (a link, a pipe that nobody writes) fails the copy.
 */
export async function copyFileWhole({ path, stats }: TreeEntry, to: string): Promise<string> {
  const body = openBody(path, stats)
  if (body === 'unreadable') throw unfit(`this account can’t read \`${path}\``)
  if (body === 'swapped') throw changed(path)
  try {
    if (!isAt(body.fd, path)) throw changed(path)
    const sha256 = await copyToNew(body.fd, to, Number(stats.size))
    const after = treeEntry(path)
    if (after === null || !isUnchanged(after.stats, stats)) throw changed(path)
    if (!isUnchanged(fstatSync(body.fd, { bigint: true }), stats)) throw changed(path)
    return sha256
  } finally {
    closeSync(body.fd)
  }
}

async function copyToNew(from: number, to: string, size: number): Promise<string> {
  const fd = openSync(to, 'wx', 0o600)
  try {
    return await copyBytes(from, fd, size)
  } finally {
    closeSync(fd)
  }
}

/** Copies at most `size` bytes (a file that grows meanwhile is changed, not followed), and returns their SHA-256. */
export async function copyBytes(from: number, to: number, size: number): Promise<string> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK, Math.max(1, size)))
  for (let at = 0; at < size; ) {
    const read = readSync(from, chunk, 0, Math.min(chunk.length, size - at), at)
    if (read === 0) break
    for (let put = 0; put < read; ) put += writeSync(to, chunk, put, read - put)
    hash.update(chunk.subarray(0, read))
    at += read
    if (read === CHUNK) await setImmediate()
  }
  return hash.digest('hex')
}

/** How many files are brought to the disk at once. */
const SYNCED_AT_ONCE = 8

/** Brings files to the disk, several at once: one after the other takes five times as long. */
export async function syncFiles(paths: readonly string[]): Promise<void> {
  const left = paths.values()
  const work = async (): Promise<void> => {
    for (const path of left) {
      const file = await open(path, 'r+')
      try {
        await file.sync()
      } finally {
        await file.close()
      }
    }
  }
  await Promise.all(Array.from({ length: SYNCED_AT_ONCE }, work))
}

function changed(path: string): Error {
  return unfit(`\`${path}\` changed while it was copied`)
}

function isUnchanged(one: BigIntStats, other: BigIntStats): boolean {
  const place = one.dev === other.dev && one.ino === other.ino
  return place && one.size === other.size && one.mtimeNs === other.mtimeNs && one.ctimeNs === other.ctimeNs
}

/** SHA-256 of a file. Lets others run between its parts. */
export async function hashFile(path: string): Promise<string> {
  const fd = openSync(path, constants.O_RDONLY | NO_TRAPS)
  try {
    const hash = createHash('sha256')
    const chunk = Buffer.allocUnsafe(CHUNK)
    for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
      hash.update(chunk.subarray(0, read))
      if (read === CHUNK) await setImmediate()
    }
    return hash.digest('hex')
  } finally {
    closeSync(fd)
  }
}

/** Puts the names of a folder on disk. */
export function syncFolder(path: string): void {
  const fd = openSync(path, 'r')
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}
