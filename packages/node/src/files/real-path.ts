import { type BigIntStats, lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { accountHome } from '../system/os-account.ts'
import { systemCode } from './private-file.ts'

/** The kernel's limits for the length of a path and of a chain of links. */
const MAX_PATH_BYTES = 4_096
const MAX_LINKS = 40

/** Errors that hide the rest of a path: for this account it does not exist. */
const UNSEEN = new Set(['EACCES', 'ENAMETOOLONG'])

/**
 * Where a path really leads: walked name by name as the kernel does, so that `..` leaves the folder a link led to, and
 * a dangling link ends where a write would create the file. Missing names are appended unchanged.
 */
export function realPath(path: string, cwd: string): string {
  const names = namesOf(absolute(path, cwd))
  const plain = `/${names.join('/')}`
  if (!names.includes('..') && isItself(plain)) return plain
  let at = '/'
  let links = 0
  const ahead = names.reverse()
  for (let name = ahead.pop(); name !== undefined; name = ahead.pop()) {
    if (name === '..') {
      at = dirname(at)
      continue
    }
    const next = join(at, name)
    const target = linkTarget(next, cwd)
    if (target === undefined) {
      at = next
      continue
    }
    links += 1
    if (links > MAX_LINKS)
      throw new CountersignError(
        'CS_TARGET',
        `\`${path}\` follows more than ${MAX_LINKS} links; use the path they lead to`,
      )
    if (isAbsolute(target)) at = '/'
    ahead.push(...namesOf(target).reverse())
  }
  return at
}

/**
 * Whether the system resolves an existing path to itself: then it has no links, and there is nothing to walk.
 * The usual case, and far cheaper. Any other result, and every failure, is left to the walk.
 */
function isItself(path: string): boolean {
  try {
    return realpathSync.native(path) === path
  } catch {
    return false
  }
}

/** Stats a path without following a link; undefined when it is absent or invisible to this account. */
export function entryAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    const code = systemCode(error)
    if (code !== undefined && UNSEEN.has(code)) return undefined
    throw new CountersignError('CS_TARGET', `\`${path}\` cannot be inspected (${code}); check the disk`, {
      cause: error,
    })
  }
}

function absolute(path: string, cwd: string): string {
  for (const text of [path, cwd]) {
    if (text.includes('\0')) throw new CountersignError('CS_CALL_SHAPE', 'a path contains a NUL character; remove it')
    if (Buffer.byteLength(text) > MAX_PATH_BYTES)
      throw new CountersignError('CS_CALL_SHAPE', `a path is longer than ${MAX_PATH_BYTES} bytes; use a shorter one`)
  }
  if (!isAbsolute(cwd)) throw new CountersignError('CS_CALL_SHAPE', `the working folder \`${cwd}\` is not absolute`)
  const expanded = expandTilde(path)
  return isAbsolute(expanded) ? expanded : `${cwd}/${expanded}`
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.')
}

/** The target of the link at `path`; undefined when it is not a link, or has no path as its target. */
function linkTarget(path: string, cwd: string): string | undefined {
  if (!entryAt(path)?.isSymbolicLink()) return undefined
  // SECURITY: A27 `/proc/self/cwd` is the folder of whoever opens it, and that will be the tool, not this process.
  if (path.startsWith('/proc/') && isOwnCwd(path)) return cwd
  try {
    const target = readlinkSync(path)
    // Links in /proc may point to objects without a path, such as `pipe:[123]`.
    return path.startsWith('/proc/') && path.includes('/fd/') && !isAbsolute(target) ? undefined : target
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOENT' || code === 'EINVAL') return undefined
    // SECURITY: A27 `/proc/1/root` may lead anywhere; whoever may follow it is not stopped by our not being able to.
    throw new CountersignError('CS_TARGET', `the link \`${path}\` cannot be read (${code}); check the disk`, {
      cause: error,
    })
  }
}

function isOwnCwd(path: string): boolean {
  return new RegExp(`^/proc/${process.pid}(/task/\\d+)?/cwd$`).test(path)
}

/** `~` and `~name` by the account table, as a shell would; a name nobody has stays literal. */
function expandTilde(path: string): string {
  if (!path.startsWith('~')) return path
  const slash = path.indexOf('/')
  const name = slash === -1 ? path.slice(1) : path.slice(1, slash)
  const home = name === '' ? accountHome() : homeOf(name)
  return home === undefined ? path : `${home}${slash === -1 ? '' : path.slice(slash)}`
}

function homeOf(name: string): string | undefined {
  try {
    for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
      const fields = line.split(':')
      if (fields[0] === name && fields[5]?.startsWith('/')) return fields[5]
    }
  } catch {
    // No account table: the name stays literal.
  }
  return undefined
}
