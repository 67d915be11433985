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
  /** Where it really is: links of a person who keeps such files elsewhere are followed, and stay. */
  readonly path: string
  readonly text: string
  readonly mode: number
}

/** Reads a configuration; undefined when there is none. CS_CLIENT_CONFIG when it cannot be changed safely. */
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

/** Whether its owner may write it. Its folder would let us replace it all the same, but somebody meant it to stay. */
export function isWritable({ mode }: ConfigFile): boolean {
  return (mode & 0o200) !== 0
}

/**
 * Replaces a configuration in one step, with the mode it had. CS_STALE when it is no longer what was read: its client
 * may be running, and writes it too. CS_CLIENT_CONFIG when it cannot be written.
 */
export function replaceConfigFile(file: ConfigFile, after: string): void {
  if (!isWritable(file))
    throw new CountersignError(
      'CS_CLIENT_CONFIG',
      `\`${file.path}\` is left as it is: it is read-only; make it writable first (\`chmod u+w\`)`,
    )
  try {
    replace(file, after)
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const why = `it cannot be written (${systemCode(error) ?? 'unknown'})`
    const what = `\`${file.path}\` is left as it is: ${why}; check that it and its folder may be changed`
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
      throw new CountersignError('CS_STALE', `\`${path}\` changed meanwhile; close its client and try again`)
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
  return new CountersignError('CS_CLIENT_CONFIG', `\`${path}\` is left as it is: ${why}; correct it first`, { cause })
}
