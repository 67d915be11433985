import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { CountersignError } from '@countersign/core'
import { accountId } from '../system/os-account.ts'
import { systemCode } from './private-file.ts'

const MAX_BYTES = 16_777_216

/** Another program's configuration file as it was read. */
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
    if (stats.uid !== accountId()) throw refused(given, 'it belongs to another user')
    if (stats.size > MAX_BYTES) throw refused(given, `it is larger than ${MAX_BYTES} bytes`)
    return { path, text: decode(given, readFileSync(fd)), mode: stats.mode & 0o7777 }
  } finally {
    closeSync(fd)
  }
}

/** Whether its owner may write it. The folder would allow replacing a read-only file, but somebody meant to protect it. */
export function isWritable({ mode }: Pick<ConfigFile, 'mode'>): boolean {
  return (mode & 0o200) !== 0
}

/**
 * Replaces a configuration atomically, keeping its mode. CS_STALE when it changed since it was read: its program may be running
 * and write it too. CS_CLIENT_CONFIG when it cannot be written.
 */
export function replaceConfigFile(file: ConfigFile, after: string): void {
  refuseReadOnly(file)
  whileWriting(file.path, () =>
    withTemporary(file.path, after, file.mode, (temporary) => {
      refuseChanged(file)
      renameSync(temporary, file.path)
    }),
  )
}

/** Creates a configuration with all its content at once. CS_STALE when it exists by now. */
export function createConfigFile({ path, text, mode }: ConfigFile): void {
  whileWriting(path, () =>
    withTemporary(path, text, mode, (temporary) => {
      try {
        linkSync(temporary, path)
      } catch (error) {
        if (systemCode(error) === 'EEXIST') throw stale(path)
        throw error
      }
      unlinkSync(temporary)
    }),
  )
}

/** Deletes a configuration. CS_STALE when it changed since it was read. */
export function deleteConfigFile(file: ConfigFile): void {
  refuseReadOnly(file)
  whileWriting(file.path, () => {
    refuseChanged(file)
    unlinkSync(file.path)
  })
}

function refuseReadOnly(file: ConfigFile): void {
  if (isWritable(file)) return
  throw new CountersignError(
    'CS_CLIENT_CONFIG',
    `\`${file.path}\` was not changed: it is read-only; make it writable first (\`chmod u+w\`)`,
  )
}

function refuseChanged({ path, text }: ConfigFile): void {
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined || readConfigFile(path)?.text !== text) throw stale(path)
}

function stale(path: string): CountersignError {
  return new CountersignError('CS_STALE', `\`${path}\` changed in the meantime; close its client and try again`)
}

function whileWriting(path: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    if (error instanceof CountersignError) throw error
    const why = `it cannot be written (${systemCode(error) ?? 'unknown'})`
    const what = `\`${path}\` was not changed: ${why}; check the permissions of the file and its folder`
    throw new CountersignError('CS_CLIENT_CONFIG', what, { cause: error })
  }
}

/** Writes a file beside the path; `use` gives it its name. */
function withTemporary(path: string, text: string, mode: number, use: (temporary: string) => void): void {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const fd = openSync(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
    0o600,
  )
  try {
    try {
      writeFileSync(fd, text)
      fchmodSync(fd, mode)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    use(temporary)
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
