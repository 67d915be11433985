import { type BigIntStats, lstatSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { accountHome } from '../system/os-account.ts'
import { systemCode } from './private-file.ts'

/** The kernel's own limits: a longer path or a longer chain of links opens nothing. */
const MAX_PATH_BYTES = 4_096
const MAX_LINKS = 40

/** The rest of a path cannot be seen beyond these; for this account it does not exist. */
const UNSEEN = new Set(['EACCES', 'ENAMETOOLONG'])

/**
 * Where a path really leads: walked name by name as the kernel does, so that `..` leaves the folder a link led to, and
 * a dangling link ends where it would create. What does not exist yet is appended as it stands.
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
      throw new CountersignError('CS_TARGET', `\`${path}\` follows more than ${MAX_LINKS} links; name its end`)
    if (isAbsolute(target)) at = '/'
    ahead.push(...namesOf(target).reverse())
  }
  return at
}

/**
 * Whether the system names an existing path as it stands: then no link was on the way, and there is nothing to walk.
 * The usual case, at a fraction of the cost. Any other answer, and every failure, is left to the walk.
 */
function isItself(path: string): boolean {
  try {
    return realpathSync.native(path) === path
  } catch {
    return false
  }
}

/** What is at a path, without following a link there; undefined when nothing is, or nothing this account can see. */
export function entryAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    const code = systemCode(error)
    if (code !== undefined && UNSEEN.has(code)) return undefined
    throw new CountersignError('CS_TARGET', `\`${path}\` cannot be looked at (${code}); check the disk`, {
      cause: error,
    })
  }
}

function absolute(path: string, cwd: string): string {
  for (const text of [path, cwd]) {
    if (text.includes('\0'))
      throw new CountersignError('CS_CALL_SHAPE', 'a path contains a NUL character; remove it')
    if (Buffer.byteLength(text) > MAX_PATH_BYTES)
      throw new CountersignError('CS_CALL_SHAPE', `a path is longer than ${MAX_PATH_BYTES} bytes; no file can be meant`)
  }
  if (!isAbsolute(cwd)) throw new CountersignError('CS_CALL_SHAPE', `the working folder \`${cwd}\` is not absolute`)
  const expanded = expandTilde(path)
  return isAbsolute(expanded) ? expanded : `${cwd}/${expanded}`
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.')
}

/** Where the link at `path` points; undefined when it is no link, or one without a name to follow. */
function linkTarget(path: string, cwd: string): string | undefined {
  if (!entryAt(path)?.isSymbolicLink()) return undefined
  // SECURITY: A27 `/proc/self/cwd` is the folder of whoever opens it, and that will be the tool, not this process.
  if (path.startsWith('/proc/') && isOwnCwd(path)) return cwd
  try {
    const target = readlinkSync(path)
    // Links of /proc may lead to what has no path, such as `pipe:[123]`.
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
    // No table to read: nobody has that name here.
  }
  return undefined
}
