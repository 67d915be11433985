import { SYSTEM } from '../../knowledge/compiled/paths.ts'

const THREAD = /^\/proc\/([^/]+)\/task\/[^/]+(?=\/|$)/
const OWN = /^\/proc\/(?:self|thread-self)(?=\/|$)/

/**
 * One spelling for the files of a process: a thread's are its process's, and the folders of this process are its own.
 * SECURITY: A27, `/proc/1234/task/1234/environ` and `/proc/thread-self/root/etc/shadow` are other names of known files.
 */
export function reduceProcessPath(path: string, folder: string | null): string {
  if (!path.startsWith('/proc/')) return path
  const reduced = path.replace(OWN, '/proc/self').replace(THREAD, '/proc/$1')
  const own = /^\/proc\/self\/(root|cwd)(?=\/|$)(.*)$/s.exec(reduced)
  if (own === null) return reduced
  const rest = own[2] ?? ''
  if (own[1] === 'root') return rest === '' ? '/' : reduceProcessPath(rest, folder)
  return folder === null ? reduced : `${folder}${rest}`
}

/** A file of a process, named by number, by pattern or by a variable. */
const FILE =
  /^["']?\/proc\/((?:\$\([^()]{0,128}\)|`[^`]{0,128}`|[^/\s$`]|\$(?!\()){1,128})\/(?:task\/[^/\s]{1,128}\/)?["']?([^/"']{1,128})/

/**
 * Whether a path names a file of a process that may show its secrets: all but the known harmless ones. `given` may be a
 * pattern, then `at` is the folder before its first wildcard, or contain variables, then `at` is null.
 */
export function isPrivateProcessFile({
  given,
  at,
  glob,
}: {
  readonly given: string
  readonly at: string | null
  readonly glob: boolean
}): boolean {
  const path = at === null ? given : glob && at.startsWith('/proc') ? `${at}/${afterFolder(given)}` : at
  const [, owner, file] = path.includes('/proc/') ? (FILE.exec(path) ?? []) : []
  if (owner === undefined || file === undefined || SYSTEM.processFolders.has(owner)) return false
  return file !== 'task' && !SYSTEM.processFiles.has(file)
}

/** A pattern from the name with its first wildcard on. */
function afterFolder(pattern: string): string {
  const wild = pattern.search(/[*?[{]/)
  return pattern.slice(pattern.lastIndexOf('/', wild) + 1)
}
