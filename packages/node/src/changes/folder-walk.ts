import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs'
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { CONTAINMENT } from '@countersign/core'
import { systemCode } from '../files/private-file.ts'

/** INVARIANT: L10, so many files and folders are looked at; a larger workspace counts as changed. */
export const MOST_ENTRIES = 200_000
/** Folders between two turns of other work. */
const TURN = 128

const { generated, git } = CONTAINMENT.protectedNames
/** What git keeps in a repository and never runs. */
const GIT_DATA: ReadonlySet<string> = new Set(['objects', 'logs', 'refs', 'lfs', 'rr-cache'])

/** A folder during a walk. */
export interface VisitedFolder {
  /** Absolute. */
  readonly path: string
  readonly stats: Stats
  /** Files, links and everything else that is not a folder. */
  readonly files: readonly string[]
}

export interface FolderVisitor {
  /** Returns a state that the folders inside get as `parent`. */
  folder(folder: VisitedFolder, parent: boolean): boolean
  /** A folder of installed or generated code, which is not entered. */
  installed?(path: string): void
  /**
   * A folder that can't be listed, or a file without a name that can be written down. Without `stats` it can't even be
   * looked at, for example because its path is too long.
   */
  closed?(path: string, stats?: Stats): void
}

/** Walks a folder without following links. Throws past the bound. Data of git's is left out: nothing loads it. */
export async function walkFolders(root: string, visitor: FolderVisitor, isInstalled = false): Promise<void> {
  const queue: { readonly path: string; readonly parent: boolean }[] = [{ path: root, parent: false }]
  let entries = 0
  for (let at = 0; at < queue.length; at += 1) {
    const { path, parent } = queue[at] ?? { path: root, parent: false }
    if (at % TURN === TURN - 1) await setImmediate()
    const stats = entryAt(path)
    if (stats === 'unreadable') visitor.closed?.(path)
    if (stats === 'unreadable' || !stats?.isDirectory()) continue
    const found = listed(path)
    if (found === undefined) {
      visitor.closed?.(path, stats)
      continue
    }
    const loadable = found.filter((entry) => isLoadable(path, entry.name))
    entries += loadable.length
    if (entries > MOST_ENTRIES) throw new Error(`it has more than ${MOST_ENTRIES.toLocaleString('en')} files`)
    const isOdd = loadable.some((entry) => entry.name.includes(REPLACEMENT))
    if (isOdd) for (const odd of nameless(path)) visitor.closed?.(odd.path, odd.stats)
    const names = isOdd ? loadable.filter((entry) => isNamed(path, entry.name)) : loadable
    const files = names.filter((entry) => !entry.isDirectory()).map(({ name }) => name)
    const state = visitor.folder({ path, stats, files }, parent)
    for (const entry of names) {
      if (!entry.isDirectory()) continue
      const inside = `${path}/${entry.name}`
      if (!isInstalled && generated.has(entry.name.toLowerCase())) visitor.installed?.(inside)
      else queue.push({ path: inside, parent: state })
    }
  }
}

function entryAt(path: string): Stats | 'unreadable' | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    return systemCode(error) === 'ENOTDIR' ? undefined : 'unreadable'
  }
}

/** What stands in a name for bytes that are not valid UTF-8. */
const REPLACEMENT = '\u{fffd}'

/**
 * Entries of a folder whose names are not valid UTF-8, under made-up names. SECURITY: A27 no path leads to them, but a shell or
 * a test runner finds them all the same. What is inside such a folder is not looked at, so it has no `stats`.
 */
function nameless(folder: string): readonly { readonly path: string; readonly stats?: Stats }[] {
  const start = Buffer.from(`${folder}/`)
  return readdirSync(folder, { encoding: 'buffer' }).flatMap((name) => {
    if (Buffer.from(name.toString('utf8')).equals(name)) return []
    const stats = lstatSync(Buffer.concat([start, name]), { throwIfNoEntry: false })
    const path = `${folder}/\0${name.toString('hex')}`
    return stats === undefined || stats.isDirectory() ? [{ path }] : [{ path, stats }]
  })
}

function isNamed(folder: string, name: string): boolean {
  return !name.includes(REPLACEMENT) || entryAt(`${folder}/${name}`) !== undefined
}

/** Undefined if the folder can't be listed; empty if it is gone. */
function listed(path: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true })
  } catch (error) {
    const code = systemCode(error)
    return code === 'ENOENT' || code === 'ENOTDIR' ? [] : undefined
  }
}

function isLoadable(folder: string, name: string): boolean {
  const lower = name.toLowerCase()
  if (basename(folder).toLowerCase() === '.git') return git.has(lower)
  return !(GIT_DATA.has(lower) && /\/\.git\/modules\//i.test(`${folder}/`))
}
