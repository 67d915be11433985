import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CountersignError, type ErrorCode } from '@countersign/core'
import { accountId } from '../system/os-account.ts'

/** The system's code of an error: `ENOENT`, `EACCES`, … */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Makes a folder of mode 0700 if it is absent; refuses one that another user can write to. */
export function openOwnFolder(path: string, code: ErrorCode): void {
  try {
    makeFolder(path)
  } catch (error) {
    if (systemCode(error) === 'EEXIST') throw new CountersignError(code, `\`${path}\` is not a folder; move it away`)
    throw new CountersignError(code, `cannot make the folder \`${path}\` (${systemCode(error)}); check its parent`, {
      cause: error,
    })
  }
  const link = lstatSync(path)
  const folder = statSync(path)
  if (!folder.isDirectory()) throw new CountersignError(code, `\`${path}\` is not a folder; move it away`)
  for (const stats of [link, folder]) refuseForeign(path, stats, code)
  if ((folder.mode & 0o022) !== 0)
    throw new CountersignError(code, `\`${path}\` can be written by other users; run \`chmod 700 ${path}\``)
}

/**
 * Makes a folder and its missing parents. Not with Node's `recursive`, which never ends under /proc, where a folder can
 * be neither made nor found.
 */
function makeFolder(path: string, mayRetry = true): void {
  if (isFolder(path)) return
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    // Another process may make the folder, or its parent, at the same time.
    if (systemCode(error) === 'EEXIST' && isFolder(path)) return
    const parent = dirname(path)
    if (systemCode(error) !== 'ENOENT' || parent === path || !mayRetry) throw error
    if (lstatSync(parent, { throwIfNoEntry: false }) === undefined) makeFolder(parent)
    makeFolder(path, false)
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/**
 * Reads a file that only this account may read or write; undefined when it is absent.
 * Checked on the open descriptor, so that nothing can be swapped between the check and the read.
 */
export function readOwnFile(path: string, maxBytes: number, code: ErrorCode): string | undefined {
  const fd = openOwn(path, code)
  if (fd === undefined) return undefined
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile()) throw new CountersignError(code, `\`${path}\` is not a regular file; move it away`)
    refuseForeign(path, stats, code)
    if ((stats.mode & 0o077) !== 0)
      throw new CountersignError(code, `\`${path}\` can be read by other users; run \`chmod 600 ${path}\``)
    const bytes = readUpTo(fd, maxBytes + 1)
    if (bytes.length > maxBytes)
      throw new CountersignError(code, `\`${path}\` is larger than ${maxBytes} bytes; restore it from a backup`)
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    if (error instanceof CountersignError) throw error
    throw new CountersignError(code, `\`${path}\` cannot be read; restore it from a backup`, { cause: error })
  } finally {
    closeSync(fd)
  }
}

/** Creates a file of mode 0600 with all its content at once; false when one was there first. */
export function createOwnFile(path: string, text: string): boolean {
  const temporary = writeTemporary(path, text)
  try {
    linkSync(temporary, path)
    syncFolder(dirname(path))
    return true
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false
    throw error
  } finally {
    unlinkSync(temporary)
  }
}

/** Replaces a file in one step: a reader, or a crash, sees the old content or the new, never a part. */
export function replaceOwnFile(path: string, text: string): void {
  const temporary = writeTemporary(path, text)
  try {
    renameSync(temporary, path)
  } catch (error) {
    unlinkSync(temporary)
    throw error
  }
  syncFolder(dirname(path))
}

/** Small enough for Node’s pool of buffers. */
const SMALL_BYTES = 2_048

/** Reads from the start of a descriptor until its end or `maxBytes`, whichever comes first. */
export function readUpTo(fd: number, maxBytes: number, expected = 65_536): Buffer {
  const parts: Buffer[] = []
  let length = 0
  while (length < maxBytes) {
    const part = Buffer.allocUnsafe(Math.min(Math.max(expected - length, SMALL_BYTES), 65_536, maxBytes - length))
    const read = readSync(fd, part, 0, part.length, length)
    if (read === 0) break
    parts.push(part.subarray(0, read))
    length += read
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts)
}

function openOwn(path: string, code: ErrorCode): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    const reason = systemCode(error)
    if (reason === 'ENOENT') return undefined
    if (reason === 'ELOOP') throw new CountersignError(code, `\`${path}\` is a symlink; put the file itself there`)
    throw new CountersignError(code, `\`${path}\` cannot be opened (${reason}); run \`chmod 600 ${path}\``, {
      cause: error,
    })
  }
}

function refuseForeign(path: string, stats: Stats, code: ErrorCode): void {
  if (stats.uid !== accountId())
    throw new CountersignError(
      code,
      `\`${path}\` belongs to another user; run \`chown ${accountId()} ${path}\` or move it away`,
    )
}

function writeTemporary(path: string, text: string): string {
  const temporary = `${path}.${randomBytes(8).toString('hex')}.tmp`
  const fd = openSync(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  )
  try {
    writeFileSync(fd, text)
    fsyncSync(fd)
  } catch (error) {
    unlinkSync(temporary)
    throw error
  } finally {
    closeSync(fd)
  }
  return temporary
}

/** Brings new and changed names of a folder to the disk. */
export function syncFolder(path: string): void {
  const fd = openSync(path, constants.O_RDONLY)
  try {
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/**
 * Replaces a file that holds a secret in one step, and overwrites the bytes of the old file once it has no name. Removes
 * temporary files of a crash too. Copies in old file system blocks or in backups are out of reach.
 */
export function replaceSecretFile(path: string, text: string): void {
  const old = openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW)
  try {
    replaceOwnFile(path, text)
    wipe(old)
  } finally {
    closeSync(old)
  }
  const started = `${basename(path)}.`
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(started) && /^[0-9a-f]{16}\.tmp$/.test(name.slice(started.length)))
      rmSync(join(dirname(path), name), { force: true })
}

/** A file that still has another name is a deliberate copy, and is kept. */
function wipe(fd: number): void {
  const { nlink, size } = fstatSync(fd)
  if (nlink > 0) return
  writeSync(fd, Buffer.alloc(size), 0, size, 0)
  fsyncSync(fd)
}
