import { MARK, markOf, marksIn } from './name-flags.ts'
import {
  CONTAINERS,
  EXAMPLES,
  HISTORIES,
  HOME_CACHES,
  OWN_INSTALLS,
  PUBLIC_NAME,
  REGENERABLE,
  REGENERABLE_ENDINGS,
  SECRET_ENDINGS,
  SECRET_PATHS,
  STARTUP,
  STARTUP_PATHS,
  SYSTEM,
  SYSTEM_CACHES,
  TEMP,
} from './well-known-names.ts'

/** Places known to the gate. All absolute real paths; the same shape as policy's. */
export interface Places {
  readonly workspace: string
  readonly home: string
  /** The folder of policy, store and keys. */
  readonly gate: string
  readonly temp: string
}

/** What sort of place a path leads to. */
export type Place =
  /** `/dev`, `/proc` and `/sys`: not files as people know them. */
  | 'device'
  | 'system'
  | 'gate'
  | 'credentials'
  /** Files that run, or configure what runs, at a later moment. */
  | 'startup'
  | 'home'
  /** A repository's own data, its hooks and its pipelines. */
  | 'vcs'
  | 'regenerable'
  | 'workspace'
  | 'temp'
  | 'elsewhere'

const SLASH = 47

/** Whether a path is a folder or lies in it, component by component: `/srv/app-secrets` is not inside `/srv/app`. */
export function isInside(path: string, folder: string): boolean {
  const end = folder.length
  // Nearly every other path differs here, which is seen sooner than where it begins to.
  if (end === 0 || path.charCodeAt(end - 1) !== folder.charCodeAt(end - 1) || !path.startsWith(folder)) return false
  return path.length === end || path.charCodeAt(end) === SLASH || folder.charCodeAt(end - 1) === SLASH
}

const LOWER_CASE = /^[\x20-\x40\x5b-\x7e]*$/

/** Names as a case-insensitive volume compares them, look-alike letters folded. */
function fold(path: string): string {
  // SECURITY: A27, K (Kelvin) and ſ name the same file as k and s on some volumes.
  return LOWER_CASE.test(path) ? path : path.normalize('NFKC').toLowerCase()
}

/** A path in which every name has one slash before it. Others are rare, so they are looked for before anything is made. */
function withoutGaps(path: string): string {
  if (path.charCodeAt(0) === SLASH && !path.endsWith('/') && !path.includes('//')) return path
  const names = path.split('/').filter((name) => name !== '')
  return names.length === 0 ? '' : `/${names.join('/')}`
}

function isInOne(path: string, folders: readonly string[]): boolean {
  for (const folder of folders) if (isInside(path, folder)) return true
  return false
}

/** The place of each workspace itself: the folder that nearly every command runs in. */
const workspaces = new WeakMap<Places, Place>()

/** Tells what sort of place a real, absolute path is. A place that is worse wins over one that is nearer. */
export function placeOf(real: string, places: Places): Place {
  if (real !== places.workspace) return findPlace(real, places)
  const known = workspaces.get(places) ?? findPlace(real, places)
  workspaces.set(places, known)
  return known
}

function findPlace(real: string, places: Places): Place {
  if (isInside(real, places.gate)) return 'gate'
  const folded = fold(real)
  const path = withoutGaps(folded)
  const marks = marksIn(path, 0)
  if (isSecret(path, marks, folded)) return 'credentials'
  const inWorkspace = isInside(real, places.workspace)
  if (!inWorkspace && isInOne(folded, TEMP)) return 'temp'
  if (isInOne(path, DEVICES)) return 'device'
  if (inWorkspace) return placeInWorkspace(real, places, path, marks)
  if (isInside(real, places.temp)) return 'temp'
  if (isInside(real, places.home)) return placeInHome(fold(real.slice(places.home.length + 1)), marks)
  if (isInside(path, '/root') && isInOne(path.slice('/root/'.length), HOME_CACHES)) return 'regenerable'
  if (folded !== '/var/cache' && isInOne(folded, SYSTEM_CACHES)) return 'regenerable'
  const below = path.indexOf('/', 1)
  const top = path.slice(1, below === -1 ? path.length : below)
  if (top === '' || SYSTEM.has(top)) return 'system'
  if (below === -1 && CONTAINERS.has(top)) return 'system'
  return isVcs(marks) ? 'vcs' : 'elsewhere'
}

const DEVICES = ['/dev', '/proc', '/sys']

/** The endings of secrets; each begins at its only dot or underline. */
const ENDINGS: ReadonlySet<string> = new Set(SECRET_ENDINGS)

function isSecret(path: string, marks: number, folded: string): boolean {
  if ((marks & MARK.secretFolder) !== 0) return true
  const last = path.slice(path.lastIndexOf('/') + 1)
  if ((marks & MARK.secretFile) !== 0 && (markOf(last, 0, last.length) & MARK.secretFile) !== 0) return true
  const dot = last.lastIndexOf('.')
  const line = last.lastIndexOf('_')
  if (dot !== -1 || line !== -1) {
    if (last.startsWith('.env.') && !EXAMPLES.has(last)) return true
    if (ENDINGS.has(last.slice(Math.max(dot, line)))) return !PUBLIC_NAME.test(last)
    if (last.endsWith('.json') && /service[-_]?account.{0,80}\.json$/.test(last)) return true
  }
  // All of them lie in a hidden folder.
  if (folded.includes('/.') && SECRET_PATHS.some((secret) => folded.includes(secret))) return true
  return last.endsWith('_key') && path.includes('/ssh/')
}

function isVcs(marks: number): boolean {
  return (marks & MARK.vcs) !== 0 || ((marks & MARK.github) !== 0 && (marks & MARK.workflows) !== 0)
}

/** Only the names below the workspace count; where no name of the whole path is marked, none of these is. */
function placeInWorkspace(real: string, places: Places, path: string, all: number): Place {
  if (all === 0 && !REGENERABLE_ENDINGS.test(path)) return 'workspace'
  const below = withoutGaps(fold(real.slice(places.workspace.length)))
  const marks = marksIn(below, 0)
  if ((marks & MARK.startup) !== 0) return 'startup'
  // What a build makes again is not precious, even with a repository inside it.
  if ((marks & MARK.regenerable) !== 0 || REGENERABLE_ENDINGS.test(below)) return 'regenerable'
  return isVcs(marks) ? 'vcs' : 'workspace'
}

function placeInHome(rest: string, marks: number): Place {
  const [first] = rest.split('/', 1)
  if (STARTUP.has(first ?? '') || isInOne(rest, STARTUP_PATHS)) return 'startup'
  if (isInOne(rest, HOME_CACHES)) return 'regenerable'
  return isVcs(marks) ? 'vcs' : 'home'
}

/** Whether a glob names only what a tool makes again: `packages/*\/dist`, `*.pyc`. */
export function isRegenerableGlob(glob: string): boolean {
  const last =
    fold(glob)
      .replace(/\/+\*{0,2}$/, '')
      .split('/')
      .at(-1) ?? ''
  return REGENERABLE.has(last) || (REGENERABLE_ENDINGS.test(last) && last.startsWith('*'))
}

/** A place below the system's folders where people install things of their own, such as `/usr/local/bin`. */
export function isOwnInstall(path: string): boolean {
  const folded = fold(path)
  return OWN_INSTALLS.some((folder) => folded !== folder && isInside(folded, folder))
}

/** Devices that swallow, repeat or show: writing there changes nothing. */
export function isHarmlessDevice(path: string): boolean {
  return (
    path.startsWith('/dev/') &&
    /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d{1,4})$/.test(path)
  )
}

/** A file that only may hold secrets, such as `.env`: reading it is medium, not high. */
export function isLikelySecret(path: string): boolean {
  const name = fold(path.slice(path.lastIndexOf('/') + 1))
  return name === '.env' || name.startsWith('.env.') || name === '.npmrc' || name === '.envrc' || HISTORIES.has(name)
}

/** The public half of a key, or a list of known hosts: reading it gives nothing away. */
export function isPublicHalf(path: string): boolean {
  return (
    /\.pub$|\/known_hosts$|\/\.(?:ssh|aws|kube)\/(?:config|known_hosts)$/.test(fold(path)) &&
    !fold(path).endsWith('.kube/config')
  )
}
