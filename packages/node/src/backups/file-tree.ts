import { type BigIntStats, lstatSync, opendirSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BackupBounds, CountersignError, countWords, sizeWords } from '@countersign/core'
import { holdFolder } from '../files/held-folder.ts'
import { systemCode } from '../files/private-file.ts'
import { realPath } from '../files/real-path.ts'

/** One entry of a tree. Sockets, pipes and devices are `other` and are not copied. */
export interface TreeEntry {
  readonly path: string
  readonly type: 'file' | 'folder' | 'link' | 'other'
  readonly stats: BigIntStats
  /** Where a link points, as written. */
  readonly link?: string
}

/** What a tree amounts to. */
export interface TreeSize {
  readonly files: number
  readonly bytes: number
}

/** Counts what several trees hold together, and throws past the bounds. */
export interface TreeCount {
  add(entry: TreeEntry): void
  /** How many more fit. */
  readonly left: number
  readonly size: TreeSize
}

export function countTrees(bounds: BackupBounds): TreeCount {
  let [files, bytes, all] = [0, 0, 0]
  return {
    add({ type, stats, path }) {
      all += 1
      if (type !== 'folder') files += 1
      if (type === 'file') bytes += Number(stats.size)
      if (all > bounds.files) throw unfit(`\`${path}\` is one of more than ${countWords(bounds.files, 'file')}`)
      if (bytes > bounds.bytes) throw unfit(`the copy would exceed ${sizeWords(bounds.bytes)} with \`${path}\``)
    },
    get left() {
      return bounds.files - all
    },
    get size() {
      return { files, bytes }
    },
  }
}

/** Everything at and below a path, parents first, without following a link. Empty when nothing is there. */
export function readTree(root: string, count: TreeCount): readonly TreeEntry[] {
  const found: TreeEntry[] = []
  const ahead = [root]
  for (let path = ahead.pop(); path !== undefined; path = ahead.pop()) {
    const entry = treeEntry(path)
    if (entry === null) {
      if (path === root) return []
      throw unfit(`\`${path}\` changed while it was inspected`)
    }
    count.add(entry)
    found.push(entry)
    if (entry.type === 'folder') for (const name of namesIn(path, count.left)) ahead.push(join(path, name))
  }
  return found
}

/** What is at one path, without following a link; null when nothing is. */
export function treeEntry(path: string): TreeEntry | null {
  const stats = lookAt(path)
  if (stats === undefined) return null
  if (stats.isSymbolicLink()) return { path, type: 'link', stats, link: readlinkSync(path) }
  return { path, type: stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other', stats }
}

/** The entry at a path; undefined when there is none, or when one of its parent folders is a file. */
export function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    const code = systemCode(error)
    if (code === 'ENOTDIR') return undefined
    throw unfit(`\`${path}\` cannot be inspected (${code ?? 'unknown'})`)
  }
}

/** The nearest path upwards that exists, as far as this account can see. */
export function deepestExisting(path: string): string {
  let at = path
  while (at !== dirname(at) && !isThere(at)) at = dirname(at)
  return at
}

function isThere(path: string): boolean {
  try {
    return lookAt(path) !== undefined
  } catch {
    return false
  }
}

/** The names in a folder, last first: they go on a stack. One more than `most` is enough to pass a bound. */
function namesIn(folder: string, most: number): readonly string[] {
  const names: string[] = []
  try {
    const held = holdFolder(folder) // SECURITY: A7, a folder that is a link by now has the names of another
    try {
      const open = opendirSync(held.at, { bufferSize: 256 })
      try {
        for (let next = open.readSync(); next !== null && names.length <= most; next = open.readSync())
          names.push(next.name)
      } finally {
        open.closeSync()
      }
    } finally {
      held.release()
    }
  } catch (error) {
    if (error instanceof CountersignError) throw unfit(error.message)
    throw unfit(`\`${folder}\` cannot be read (${systemCode(error) ?? 'unknown'})`)
  }
  // Bytes that are no text are read as U+FFFD: another file may go by that name.
  if (names.some((name) => name.includes('\ufffd')))
    throw unfit(`\`${folder}\` contains a name that is not valid UTF-8`)
  return names.sort().reverse()
}

/** SECURITY: A27 a folder on the way that is a link by now leads to the files of somebody else. */
export function refuseMoved(folder: string): void {
  if (realPath(folder, '/') !== folder) throw unfit(`\`${folder}\` now leads somewhere else; check it`)
}

/** Why no copy can be made. */
export function unfit(why: string): CountersignError {
  return new CountersignError('CS_BACKUP', why)
}

/** A path inside another is part of it. */
export function outermost(paths: readonly string[]): readonly string[] {
  const kept: string[] = []
  for (const path of [...new Set(paths)].map((one) => `${one}/`).sort())
    if (kept.length === 0 || !path.startsWith(kept[kept.length - 1] ?? '')) kept.push(path)
  return kept.map((path) => (path === '//' ? '/' : path.slice(0, -1)))
}
