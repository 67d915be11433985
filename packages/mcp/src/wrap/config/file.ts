import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { CountersignError } from '@countersign/core'
import { systemCode } from '@countersign/node'

const MAX_BYTES = 16_777_216

/** A client's configuration file as it was read. */
export interface ConfigFile {
  /** The real path: links are followed, and stay links. */
  readonly path: string
  readonly text: string
  readonly mode: number
}

/** Reads a configuration file; undefined when it does not exist. CS_CLIENT_CONFIG when it cannot be edited safely. */
export function readConfigFile(given: string): ConfigFile | undefined {
  let fd: number
  let path: string
  try {
    path = realpathSync(given)
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return undefined
    throw refused(given, `it cannot be opened (${systemCode(error)})`, error)
  }
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile()) throw refused(given, 'it is not a regular file')
    if (stats.uid !== process.getuid?.()) throw refused(given, 'it belongs to another user')
    if (stats.size > MAX_BYTES) throw refused(given, `it is larger than ${MAX_BYTES} bytes`)
    return { path, text: decode(given, readFileSync(fd)), mode: stats.mode & 0o7777 }
  } finally {
    closeSync(fd)
  }
}

/** Whether its owner may write it. The folder would allow replacing a read-only file, but somebody meant to protect it. */
export function isWritable({ mode }: ConfigFile): boolean {
  return (mode & 0o200) !== 0
}

/**
 * Replaces a configuration atomically, keeping its mode. CS_STALE when it changed since it was read: its client may be running
 * and write it too. CS_CLIENT_CONFIG when it cannot be written.
 */
export function replaceConfigFile(file: ConfigFile, after: string): void {
  if (!isWritable(file))
    throw new CountersignError(
      'CS_CLIENT_CONFIG',
      `\`${file.path}\` was not changed: it is read-only; make it writable first (\`chmod u+w\`)`,
    )
  try {
    replace(file, after)
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const why = `it cannot be written (${systemCode(error) ?? 'unknown'})`
    const what = `\`${file.path}\` was not changed: ${why}; check the permissions of the file and its folder`
    throw new CountersignError('CS_CLIENT_CONFIG', what, { cause: error })
  }
}

function replace({ path, text, mode }: ConfigFile, after: string): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const fd = openSync(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  )
  try {
    try {
      writeFileSync(fd, after)
      fchmodSync(fd, mode)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    if (readConfigFile(path)?.text !== text)
      throw new CountersignError('CS_STALE', `\`${path}\` changed in the meantime; close its client and try again`)
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function decode(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch (error) {
    throw refused(path, 'it is not UTF-8', error)
  }
}

function refused(path: string, why: string, cause?: unknown): CountersignError {
  return new CountersignError('CS_CLIENT_CONFIG', `\`${path}\` was not changed: ${why}; fix it first`, { cause })
}
