import { CREDENTIAL_FILES, REGENERABLE_FILES, STARTUP_FILES, SYSTEM } from '../../knowledge/compiled/paths.ts'

/** The gate's own places: absolute real paths, in the same shape as policy's. */
export interface Places {
  readonly workspace: string
  readonly home: string
  /** The folder of policy, store and keys. */
  readonly gate: string
  readonly temp: string
}

/** The category of a path. */
export type Place =
  /** `/dev`, `/proc` and `/sys`. */
  | 'device'
  | 'system'
  | 'gate'
  | 'credentials'
  /** Files that run, or configure what runs, at a later moment. */
  | 'startup'
  | 'home'
  /** Data of version control, hooks and pipelines. */
  | 'vcs'
  | 'regenerable'
  | 'workspace'
  | 'temp'
  | 'elsewhere'

const SLASH = 47

/** Whether a path is a folder or inside it, component by component: `/srv/app-secrets` is not inside `/srv/app`. */
export function isInside(path: string, folder: string): boolean {
  const end = folder.length
  // The last character differs for nearly every other path, and is compared first.
  if (end === 0 || path.charCodeAt(end - 1) !== folder.charCodeAt(end - 1) || !path.startsWith(folder)) return false
  return path.length === end || path.charCodeAt(end) === SLASH || folder.charCodeAt(end - 1) === SLASH
}

const LOWER_CASE = /^[\x20-\x40\x5b-\x7e]*$/

/** A path as a case-insensitive volume compares it, with look-alike letters folded. */
function fold(path: string): string {
  // SECURITY: A27, K (Kelvin) and ſ name the same file as k and s on some volumes.
  return LOWER_CASE.test(path) ? path : path.normalize('NFKC').toLowerCase()
}

/** Removes doubled and trailing slashes. */
function withoutEmptyNames(path: string): string {
  if (path.charCodeAt(0) === SLASH && !path.endsWith('/') && !path.includes('//')) return path
  const names = path.split('/').filter((name) => name !== '')
  return names.length === 0 ? '' : `/${names.join('/')}`
}

function isInOne(path: string, folders: readonly string[]): boolean {
  for (const folder of folders) if (isInside(path, folder)) return true
  return false
}

/** The category of each workspace folder: nearly every command runs there. */
const workspaces = new WeakMap<Places, Place>()

/** The category of an absolute real path. If several fit, the most sensitive one counts. */
export function placeOf(real: string, places: Places): Place {
  if (real !== places.workspace) return findPlace(real, places)
  const known = workspaces.get(places) ?? findPlace(real, places)
  workspaces.set(places, known)
  return known
}

function findPlace(real: string, places: Places): Place {
  if (isInside(real, places.gate)) return 'gate'
  const folded = fold(real)
  const path = withoutEmptyNames(folded)
  const flags = flagsOfPath(path)
  if (isCredential(path, flags, folded)) return 'credentials'
  const inWorkspace = isInside(real, places.workspace)
  if (!inWorkspace && isInOne(folded, SYSTEM.temporary)) return 'temp'
  if (isInOne(path, SYSTEM.devices)) return 'device'
  if (inWorkspace) return placeInWorkspace(real, places, path, flags)
  if (isInside(real, places.temp)) return 'temp'
  if (isInside(real, places.home)) return placeInHome(fold(real.slice(places.home.length + 1)), flags)
  if (isInside(path, '/root') && isInOne(path.slice('/root/'.length), REGENERABLE_FILES.homeCaches))
    return 'regenerable'
  if (folded !== '/var/cache' && isInOne(folded, SYSTEM.caches)) return 'regenerable'
  const below = path.indexOf('/', 1)
  const top = path.slice(1, below === -1 ? path.length : below)
  if (top === '' || SYSTEM.system.has(top)) return 'system'
  if (below === -1 && SYSTEM.sharedRoots.has(top)) return 'system'
  return isVersionControl(flags) ? 'vcs' : 'elsewhere'
}

/** Certificates and public keys, which have the same endings as private keys. */
const PUBLIC_NAME =
  /(?:^|[-_.])(?:ca|cacert|cert|certs|certificate|chain|fullchain|public|pub|bundle)(?:[-_.].*)?\.(?:pem|key)$/

function isCredential(path: string, flags: number, folded: string): boolean {
  if ((flags & FLAG.secretFolder) !== 0) return true
  const last = path.slice(path.lastIndexOf('/') + 1)
  if ((flags & FLAG.secretFile) !== 0 && (flagsOfName(last, 0, last.length) & FLAG.secretFile) !== 0) return true
  const dot = last.lastIndexOf('.')
  const underscore = last.lastIndexOf('_')
  if (dot !== -1 || underscore !== -1) {
    if (last.startsWith('.env.') && !CREDENTIAL_FILES.examples.has(last)) return true
    if (CREDENTIAL_FILES.endings.has(last.slice(Math.max(dot, underscore)))) return !PUBLIC_NAME.test(last)
    if (last.endsWith('.json') && /service[-_]?account.{0,80}\.json$/.test(last)) return true
  }
  // All of these paths are in a hidden folder.
  if (folded.includes('/.') && CREDENTIAL_FILES.paths.some((secret) => folded.includes(secret))) return true
  return last.endsWith('_key') && path.includes('/ssh/')
}

function isVersionControl(flags: number): boolean {
  return (flags & FLAG.vcs) !== 0 || ((flags & FLAG.github) !== 0 && (flags & FLAG.workflows) !== 0)
}

/** Only names below the workspace count. `all` are the flags of the whole path: without any, these names have none. */
function placeInWorkspace(real: string, places: Places, path: string, all: number): Place {
  if (all === 0 && !hasRegenerableEnding(path)) return 'workspace'
  const below = withoutEmptyNames(fold(real.slice(places.workspace.length)))
  const flags = flagsOfPath(below)
  if ((flags & FLAG.startup) !== 0) return 'startup'
  // Build output can be recreated, even with a repository inside it.
  if ((flags & FLAG.regenerable) !== 0 || hasRegenerableEnding(below)) return 'regenerable'
  return isVersionControl(flags) ? 'vcs' : 'workspace'
}

function placeInHome(rest: string, flags: number): Place {
  const [first] = rest.split('/', 1)
  if (STARTUP_FILES.names.has(first ?? '') || isInOne(rest, STARTUP_FILES.paths)) return 'startup'
  if (isInOne(rest, REGENERABLE_FILES.homeCaches)) return 'regenerable'
  return isVersionControl(flags) ? 'vcs' : 'home'
}

function hasRegenerableEnding(path: string): boolean {
  const dot = path.lastIndexOf('.')
  return path.endsWith('~') || (dot !== -1 && REGENERABLE_FILES.endings.has(path.slice(dot + 1)))
}

/** Whether a glob matches only files that a tool creates again: `packages/*\/dist`, `*.pyc`. */
export function isRegenerableGlob(glob: string): boolean {
  const last =
    fold(glob)
      .replace(/\/+\*{0,2}$/, '')
      .split('/')
      .at(-1) ?? ''
  return REGENERABLE_FILES.names.has(last) || (hasRegenerableEnding(last) && last.startsWith('*'))
}

/** Whether programs may run or load the file at a path, by its name or its folder. */
export function isExecutable(path: string): boolean {
  const names = fold(path).split('/')
  const last = names.at(-1) ?? ''
  const dot = last.lastIndexOf('.')
  return (
    dot <= 0 ||
    REGENERABLE_FILES.executable.has(last.slice(dot + 1)) ||
    names.some((name) => REGENERABLE_FILES.installed.has(name))
  )
}

/** Whether a path is below a system folder for people's own programs, such as `/usr/local/bin`. */
export function isOwnInstall(path: string): boolean {
  const folded = fold(path)
  return SYSTEM.localInstalls.some((folder) => folded !== folder && isInside(folded, folder))
}

/** Devices on which a write has no lasting effect. */
export function isHarmlessDevice(path: string): boolean {
  return (
    path.startsWith('/dev/') &&
    /^\/dev\/(?:null|zero|full|random|urandom|tty|stdin|stdout|stderr|fd\/\d{1,4})$/.test(path)
  )
}

/** A file that may or may not hold secrets, such as `.env`: reading it is medium, not high. */
export function isLikelySecret(path: string): boolean {
  const name = fold(path.slice(path.lastIndexOf('/') + 1))
  if (name === '.env' || name.startsWith('.env.') || name === '.npmrc' || name === '.envrc') return true
  return CREDENTIAL_FILES.histories.has(name)
}

/** A public key, or a list of known hosts: reading it reveals nothing. */
export function isPublicHalf(path: string): boolean {
  return (
    /\.pub$|\/known_hosts$|\/\.(?:ssh|aws|kube)\/(?:config|known_hosts)$/.test(fold(path)) &&
    !fold(path).endsWith('.kube/config')
  )
}

/** What a name in a path shows. Bits, so that each name is looked up once. */
const FLAG = {
  secretFolder: 1,
  /** Counts for the last name only. */
  secretFile: 2,
  vcs: 4,
  regenerable: 8,
  startup: 16,
  github: 32,
  workflows: 64,
} as const

const LENGTHS = 64

interface NameIndex {
  readonly flags: ReadonlyMap<string, number>
  /** First letters and lengths of the names with flags: this rules out nearly every name without slicing it. */
  readonly shapes: Uint8Array
}

let nameIndex: NameIndex | undefined

function buildNameIndex(): NameIndex {
  const flags = new Map<string, number>()
  const add = (names: Iterable<string>, flag: number): void => {
    for (const name of names) flags.set(name, (flags.get(name) ?? 0) | flag)
  }
  add(CREDENTIAL_FILES.folders, FLAG.secretFolder)
  add(CREDENTIAL_FILES.files, FLAG.secretFile)
  add(CREDENTIAL_FILES.histories, FLAG.secretFile)
  add(STARTUP_FILES.versionControl, FLAG.vcs)
  add(REGENERABLE_FILES.names, FLAG.regenerable)
  add(
    [...STARTUP_FILES.names].filter((name) => !name.endsWith('rc')),
    FLAG.startup,
  )
  add(['.github'], FLAG.github)
  // Pipelines, and the hooks and settings of Copilot.
  add(['workflows', 'hooks', 'copilot'], FLAG.workflows)
  const shapes = new Uint8Array(128 * LENGTHS)
  for (const name of flags.keys()) shapes[shapeOf(name, 0, name.length)] = 1
  return { flags, shapes }
}

function shapeOf(path: string, start: number, end: number): number {
  const first = path.charCodeAt(start)
  return first > 127 || end - start >= LENGTHS ? 0 : first * LENGTHS + end - start
}

/** The flags of one name, which is the part of a path from `start` to `end`. */
function flagsOfName(path: string, start: number, end: number): number {
  nameIndex ??= buildNameIndex()
  if (start >= end || nameIndex.shapes[shapeOf(path, start, end)] !== 1) return 0
  return nameIndex.flags.get(path.slice(start, end)) ?? 0
}

/** The flags of all names of a path together. */
function flagsOfPath(path: string): number {
  let flags = 0
  let start = 0
  for (let at = 0; at < path.length; at++) {
    if (path.charCodeAt(at) !== SLASH) continue
    flags |= flagsOfName(path, start, at)
    start = at + 1
  }
  return flags | flagsOfName(path, start, path.length)
}
