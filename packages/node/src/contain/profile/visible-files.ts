import { lstatSync, readlinkSync, realpathSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { CONTAINMENT } from '@countersign/core'

const { system, linked, byPath, masked, home: homeFolders } = CONTAINMENT.visibleFiles

/** What of the system and the home a contained command sees, read-only. */
export interface VisibleFiles {
  readonly folders: readonly string[]
  /** Links of the root folder, such as `/bin` to `usr/bin`. */
  readonly links: readonly { readonly path: string; readonly target: string }[]
  readonly masked: readonly { readonly path: string; readonly is: 'file' | 'folder' }[]
  /** Below the home. */
  readonly home: readonly string[]
  /** The `PATH` that leads only to these. */
  readonly path: string
}

/** Whether `path` is `folder` or below it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === sep ? sep : `${folder}${sep}`)
}

/** Looks up what exists on this machine. `mayEnter` tells whether the account of the run can open a folder. */
export function findVisibleFiles(
  home: string,
  searchPath: string | undefined,
  credentials: readonly string[],
  mayEnter: (path: string) => boolean = () => true,
): VisibleFiles {
  const folders: string[] = system.filter((path) => kindOf(path) !== undefined)
  const links: { path: string; target: string }[] = []
  for (const path of linked) {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (stats?.isSymbolicLink()) links.push({ path, target: readlinkSync(path) })
    else if (stats?.isDirectory()) folders.push(path)
  }
  const entries = (searchPath ?? '').split(':').filter((path) => path.startsWith(sep))
  for (const path of entries) {
    const top = byPath.find((one) => isWithin(path, one) && path !== one)
    const folder = top === undefined ? undefined : join(top, path.slice(top.length + 1).split(sep)[0] ?? '')
    if (folder !== undefined && kindOf(folder) === 'folder' && !folders.includes(folder)) folders.push(folder)
  }
  const files = credentials.flatMap((name) => CONTAINMENT.credentials[name] ?? [])
  const inHome = [...homeFolders, ...files]
    .map((path) => join(home, path))
    .filter((path) => isItself(path) && mayEnter(path))
  return {
    folders,
    links,
    masked: masked.flatMap((path) => {
      const is = isItself(path) && folders.some((folder) => isWithin(path, folder)) ? kindOf(path) : undefined
      return is === undefined ? [] : [{ path, is }]
    }),
    home: inHome,
    path: visiblePath(entries, [...folders, ...linked, ...inHome]),
  }
}

const USUAL_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin']

function visiblePath(entries: readonly string[], visible: readonly string[]): string {
  const seen = entries.filter((path) => visible.some((folder) => isWithin(path, folder)))
  return [...new Set([...seen, ...USUAL_PATH])].join(':')
}

function kindOf(path: string): 'file' | 'folder' | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats?.isDirectory() ? 'folder' : stats?.isFile() ? 'file' : undefined
  } catch {
    return undefined
  }
}

/** A mount onto a link fails, or covers what the link leads to. */
function isItself(path: string): boolean {
  try {
    return realpathSync.native(path) === path
  } catch {
    return false
  }
}
