import { accessSync, constants, type Dirent, readlinkSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { CONTAINMENT, isProjectSecret, isProtectedName } from '@countersign/core'
import { namedBySettings } from './git-settings.ts'
import { entriesOf, lstatOf, namesWithoutText } from './look.ts'
import { deeperParts } from './repository-parts.ts'

/** The most folders and files that are looked at, nearest first. INVARIANT: L10. */
const MOST_FOLDERS = 20_000
const MOST_FILES = 50_000
/** How many files of a folder with installed code are looked at: installers link all of them or none. */
const SAMPLE = 400
/** In how many folders of installed code repositories are looked for, nearest first. */
const MOST_GENERATED = 2000
const MOST_HOPS = 8
/** A folder that changed this shortly before a scan could change again without getting another time. */
const RACY_MS = 100

const { generated, git } = CONTAINMENT.protectedNames

/** What a run must protect in a folder it may write. All paths are absolute. */
export interface Scan {
  readonly root: string
  /** Files and folders that others run by themselves. */
  readonly guarded: readonly string[]
  /** The same, where the name is a symbolic link. */
  readonly links: readonly string[]
  /** Git's own folders, and folders with the shape of one. */
  readonly repositories: readonly string[]
  /** Files that have another name elsewhere, and folders of installed code with such files. */
  readonly shared: readonly string[]
  /** Files with secrets of the project. */
  readonly secrets: readonly string[]
  /** Sockets and pipes, which other programs may listen to. */
  readonly channels: readonly string[]
  /** Every folder, with a mark that changes when a name in it does; null where that cannot be told. */
  readonly folders: ReadonlyMap<string, string | null>
  /** Folders of installed or generated code, which are searched for repositories only. */
  readonly generated: readonly string[]
  /** What the settings of repositories name, and does not exist. */
  readonly absent: readonly string[]
  /** Folders with names that no text can express and that matter. */
  readonly nameless: readonly string[]
  /** Folders that could not be searched, and why. */
  readonly unsearched: readonly Unsearched[]
  /** Names that were made by a run which is still going, and what tells them from others put in their place. */
  readonly strangers: ReadonlyMap<string, string | undefined>
}

export interface Unsearched {
  readonly path: string
  readonly why: 'closed' | 'too many'
}

/** A search under way. */
export interface Walk {
  readonly guarded: string[]
  readonly links: string[]
  readonly repositories: string[]
  readonly shared: string[]
  readonly secrets: string[]
  readonly channels: string[]
  readonly folders: Map<string, string | null>
  readonly generated: string[]
  readonly absent: string[]
  readonly nameless: string[]
  readonly unsearched: Unsearched[]
  readonly queue: string[]
  readonly findsShared: boolean
  readonly searchesInstalled: boolean
  /** Tries to open a folder that cannot be read. */
  readonly open: (folder: string) => void
  files: number
}

/**
 * Searches a folder. Links are not followed. `findsShared`: whether files with several names matter. `searchesInstalled`:
 * whether repositories in installed code do, which take most of the time; a run that writes nothing can't change them.
 */
export function scanWorkspace(root: string, findsShared: boolean, searchesInstalled = true): Scan {
  const walk = newWalk([root], findsShared, () => {}, searchesInstalled)
  finish(walk, MOST_FOLDERS)
  return scanned(walk, root)
}

/** A folder of git's outside the workspace: only its own parts matter. */
export function scanRepository(root: string): Scan {
  const walk = newWalk([], false, () => {})
  addRepository(root, walk)
  return scanned(walk, root)
}

function scanned(walk: Walk, root: string): Scan {
  for (const link of [...walk.links]) followLink(link, root, walk)
  return { ...walk, guarded: [...new Set(walk.guarded)], links: [...new Set(walk.links)], root, strangers: new Map() }
}

/** Whoever obeys a link obeys what it leads to. */
function followLink(link: string, root: string, walk: Walk): void {
  for (let at: string | undefined = link, hops = 0; at !== undefined && hops < MOST_HOPS; hops += 1) {
    const next: string | undefined = targetOf(at)
    if (next === undefined || !next.startsWith(`${root}/`)) return
    const stats = lstatOf(next)
    if (stats === undefined) walk.absent.push(next)
    else if (stats.isSymbolicLink()) walk.links.push(next)
    else walk.guarded.push(next)
    at = stats?.isSymbolicLink() ? next : undefined
  }
}

/** Where one link leads, with the links of the folders before it followed; undefined if nowhere. */
function targetOf(link: string): string | undefined {
  try {
    const target = resolve(dirname(link), readlinkSync(link))
    return join(realpathSync.native(dirname(target)), basename(target))
  } catch {
    return undefined
  }
}

export function newWalk(queue: string[], findsShared: boolean, open: Walk['open'], searchesInstalled = true): Walk {
  const lists = { guarded: [], links: [], repositories: [], shared: [], secrets: [] }
  const more = { channels: [], generated: [], absent: [], nameless: [], unsearched: [] }
  return { ...lists, ...more, folders: new Map(), queue, findsShared, searchesInstalled, open, files: 0 }
}

/** Searches what is in the queue. */
export function finish(walk: Walk, most: number): void {
  for (let at = 0; at < walk.queue.length; at += 1) {
    const folder = walk.queue[at]
    const mark = folder === undefined ? undefined : markOf(folder)
    if (folder === undefined || mark === undefined) continue
    if (walk.folders.size >= most) {
      walk.unsearched.push({ path: folder, why: 'too many' })
      continue
    }
    walk.folders.set(folder, mark)
    lookInto(folder, walk)
  }
}

/** Notes what is in a folder, and queues the folders in it. */
export function lookInto(folder: string, walk: Walk): void {
  let entries = entriesOf(folder)
  if (entries === null) {
    walk.open(folder)
    entries = entriesOf(folder)
  }
  if (entries === null) {
    if (canBeEntered(folder)) walk.unsearched.push({ path: folder, why: 'closed' })
    return
  }
  if (isRepository(entries)) addRepository(folder, walk)
  if (namesWithoutText(folder, entries).length > 0) walk.nameless.push(folder)
  for (const entry of entries) visit(folder, entry, walk)
}

/** Whether a command of this account could use a folder that cannot be read. */
function canBeEntered(folder: string): boolean {
  if (lstatOf(folder)?.uid === process.getuid?.()) return true
  try {
    accessSync(folder, constants.X_OK)
    return true
  } catch {
    return false
  }
}

function visit(folder: string, entry: Dirent, walk: Walk): void {
  const { name } = entry
  const path = `${folder}/${name}`
  const isGit = isNamed(name, '.git')
  if (isGit && entry.isDirectory()) addRepository(path, walk)
  else if (isGit || isProtectedName(name, basename(folder)))
    (entry.isSymbolicLink() ? walk.links : walk.guarded).push(path)
  else if (entry.isDirectory()) {
    if (!generated.has(name)) walk.queue.push(path)
    else if (walk.findsShared && hasShared(path)) walk.shared.push(path)
    else {
      walk.generated.push(path)
      if (walk.searchesInstalled) searchGenerated(path, walk)
    }
  } else if (entry.isSocket() || entry.isFIFO()) walk.channels.push(path)
  else if (entry.isFile()) {
    if (isProjectSecret(name)) walk.secrets.push(path)
    if (walk.findsShared && walk.files < MOST_FILES) {
      walk.files += 1
      if ((lstatOf(path)?.nlink ?? 1) > 1) walk.shared.push(path)
    }
  }
}

/** The parts of a repository that exist are guarded; those that do not are looked for after the run. */
function addRepository(folder: string, walk: Walk): void {
  walk.repositories.push(folder)
  for (const part of git) {
    const path = join(folder, part)
    const stats = lstatOf(path)
    if (stats?.isSymbolicLink()) walk.links.push(path)
    else if (stats !== undefined) walk.guarded.push(path)
  }
  walk.guarded.push(...deeperParts(folder))
  for (const path of namedBySettings(folder)) (lstatOf(path) === undefined ? walk.absent : walk.guarded).push(path)
}

/** Git takes any folder with these for a repository, and reads its settings. */
function isRepository(entries: readonly Dirent[]): boolean {
  if (!entries.some(({ name }) => isNamed(name, 'head'))) return false
  const names = new Set(entries.map(({ name }) => name.toLowerCase()))
  return names.has('head') && (names.has('commondir') || (names.has('objects') && names.has('refs')))
}

/** Compares in any case; the length is compared first, since most of a scan's time goes into names. */
function isNamed(name: string, lower: string): boolean {
  return name.length === lower.length && name.toLowerCase() === lower
}

/** Whether any of the first files below a folder has several names. */
function hasShared(folder: string): boolean {
  let left = SAMPLE
  const stack = [folder]
  for (let at = stack.pop(); at !== undefined && left > 0; at = stack.pop())
    for (const entry of entriesOf(at) ?? []) {
      const path = join(at, entry.name)
      if (entry.isDirectory()) stack.push(path)
      else if (entry.isFile()) {
        left -= 1
        if ((lstatOf(path)?.nlink ?? 1) > 1) return true
      }
    }
  return false
}

/** Looks for repositories in a folder of installed code. */
export function searchGenerated(top: string, walk: Walk): void {
  const queue = [top]
  for (let at = 0; at < queue.length && at < MOST_GENERATED; at += 1) {
    const folder = queue[at] ?? top
    const entries = entriesOf(folder) ?? []
    if (isRepository(entries)) addRepository(folder, walk)
    for (const entry of entries) {
      if (isNamed(entry.name, '.git')) visit(folder, entry, walk)
      else if (entry.isDirectory()) queue.push(`${folder}/${entry.name}`)
    }
  }
}

export function markOf(folder: string): string | null | undefined {
  const stats = lstatOf(folder)
  if (!stats?.isDirectory()) return undefined
  return Date.now() - stats.ctimeMs < RACY_MS ? null : `${stats.dev}:${stats.ino}:${stats.ctimeMs}`
}
