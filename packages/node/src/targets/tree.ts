import { type Dirent, lstatSync, opendirSync, type Stats } from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import type { TargetEntry, TargetTree } from '@countersign/core'
import { realPath } from '../files/real-path.ts'
import { monotonicMs } from '../system/clock.ts'

/** Entries between two turns of the loop: a large folder must not keep the process from anything else. */
const STRIDE = 500
/** A slow disk is not waited for: what was counted until then is shown, as less than all. */
const PATIENCE_MS = 400

/** Counts what a folder holds, width first, so that the names listed are those at its top. Nothing is followed. */
export async function treeOf(path: string, cwd: string, most: number, listed: number): Promise<TargetTree> {
  const root = Buffer.from(realPath(path, cwd))
  const ends = monotonicMs() + PATIENCE_MS
  const tree = { files: 0, folders: 0, bytes: 0, unread: 0 }
  const names: string[] = []
  const ahead: Buffer[] = [Buffer.alloc(0)]
  let seen = 0
  for (let next = 0; next < ahead.length; next += 1) {
    const folder = ahead[next] ?? root
    const inside = entriesIn(below(root, folder), most - seen + 1)
    if (inside === 'unread') tree.unread += 1
    else
      for (const { name, isFolder } of inside) {
        if (seen === most || monotonicMs() > ends) return { ...tree, listed: names, complete: false }
        seen += 1
        const at = below(folder, name)
        tree.folders += isFolder ? 1 : 0
        tree.files += isFolder ? 0 : 1
        if (isFolder) ahead.push(at)
        else tree.bytes += sizeOf(below(root, at))
        if (names.length < listed) names.push(`${at.toString()}${isFolder ? '/' : ''}`)
        if (seen % STRIDE === 0) await setImmediate()
      }
  }
  return { ...tree, listed: names, complete: true }
}

/** The entries of one folder, each described itself. Undefined when it can't be listed or has more than `most`. */
export function listFolder(path: string, cwd: string, most: number): readonly TargetEntry[] | undefined {
  try {
    const open = opendirSync(realPath(path, cwd))
    try {
      const entries: TargetEntry[] = []
      for (let one = open.readSync(); one !== null; one = open.readSync()) {
        // SECURITY: A27 a name that is not valid UTF-8 leads nowhere from here, but other programs find the file and run it.
        if (entries.length === most || one.name.includes('\u{fffd}')) return undefined
        entries.push({ name: one.name, type: typeOf(one) })
      }
      return entries
    } finally {
      open.closeSync()
    }
  } catch {
    return undefined
  }
}

export function typeOf(entry: Pick<Dirent, 'isSymbolicLink' | 'isDirectory' | 'isFile'>): TargetEntry['type'] {
  if (entry.isSymbolicLink()) return 'link'
  if (entry.isDirectory()) return 'directory'
  return entry.isFile() ? 'file' : 'other'
}

interface Entry {
  readonly name: Buffer
  readonly isFolder: boolean
}

/** The entries by name, as bytes: a name need not be text. */
function entriesIn(folder: Buffer, most: number): readonly Entry[] | 'unread' {
  try {
    // The types do not know folders with names as bytes; Node supports them.
    const open = opendirSync(folder as unknown as string, { encoding: 'buffer' as BufferEncoding })
    try {
      const entries: Entry[] = []
      for (let one = open.readSync(); one !== null && entries.length < most; one = open.readSync())
        entries.push({ name: (one as unknown as Dirent<Buffer>).name, isFolder: one.isDirectory() })
      return entries.sort((one, other) => Buffer.compare(one.name, other.name))
    } finally {
      open.closeSync()
    }
  } catch {
    return 'unread'
  }
}

function sizeOf(path: Buffer): number {
  let stats: Stats | undefined
  try {
    stats = lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // A folder may be listed and still not be entered: its files count, their sizes are not known.
    return 0
  }
  return stats?.isFile() === true ? stats.size : 0
}

function below(folder: Buffer, name: Buffer): Buffer {
  if (folder.length === 0) return name
  return name.length === 0 ? folder : Buffer.concat([folder, SLASH, name])
}

const SLASH = Buffer.from('/')
