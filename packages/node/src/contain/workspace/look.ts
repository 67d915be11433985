import { isUtf8 } from 'node:buffer'
import {
  closeSync,
  constants,
  type Dirent,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, sep } from 'node:path'
import { isProtectedName } from '@countersign/core'

/** Stats without following a link; undefined for what is absent or out of reach. */
export function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

/** The names in a folder; null if it cannot be read. SECURITY: a link is never entered. */
export function entriesOf(folder: string): readonly Dirent[] | null {
  if (!lstatOf(folder)?.isDirectory()) return []
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return null
  }
}

/** The folders and protected names in a folder that no text can express, so that no path leads to them. */
export function namesWithoutText(folder: string, entries: readonly Dirent[]): readonly Dirent<Buffer>[] {
  if (!entries.some(({ name }) => name.includes('\u{fffd}'))) return []
  try {
    const raw = readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })
    const matters = (entry: Dirent<Buffer>): boolean =>
      entry.isDirectory() || isProtectedName(`${entry.name}`, basename(folder))
    return raw.filter((entry) => !isUtf8(entry.name) && matters(entry))
  } catch {
    return []
  }
}

/** What tells a file from another one with the same path; undefined for what is absent. */
export function identityOf(path: string): string | undefined {
  try {
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false })
    if (stats === undefined) return undefined
    return `${stats.dev}:${stats.ino}:${stats.birthtimeNs === 0n ? stats.ctimeNs : stats.birthtimeNs}`
  } catch {
    return undefined
  }
}

/** `O_PATH`: a descriptor that only stands for a folder, for which no rights on it are needed. */
const ONLY_PATH = 0o10000000

/**
 * Acts in a folder below `root`, by a path that leads to this very folder; undefined if there is none. SECURITY: A7 a run
 * beside can put a link in the place of a folder at any moment, so paths through the workspace are not used for changes.
 */
export function inFolder<T>(folder: string, root: string, act: (at: string) => T): T | undefined {
  let fd: number
  try {
    fd = openSync(folder, ONLY_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW)
  } catch {
    return undefined
  }
  try {
    const at = `/proc/self/fd/${fd}`
    const [real, top] = [readlinkSync(at), realpathSync.native(root)]
    return real === top || real.startsWith(`${top}${sep}`) ? act(at) : undefined
  } finally {
    closeSync(fd)
  }
}

/** Whether a path is below `root` with only folders, and no links, between. */
export function isReallyBelow(path: string, root: string): boolean {
  if (!path.startsWith(`${root}${sep}`)) return false
  for (let at = dirname(path); ; at = dirname(at)) {
    if (!lstatOf(at)?.isDirectory()) return false
    if (at === root) break
  }
  try {
    const real = realpathSync.native(dirname(path))
    const top = realpathSync.native(root)
    return real === top || real.startsWith(`${top}${sep}`)
  } catch {
    return false
  }
}
