import { accessSync, constants, statfsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type BackupBounds, type BackupTarget, sizeWords } from '@countersign/core'
import { realPath } from '../files/real-path.ts'
import type { Home } from '../home/home.ts'
import {
  countTrees,
  deepestExisting,
  readTree,
  refuseMoved,
  type TreeEntry,
  type TreeSize,
  treeEntry,
  unfit,
} from './file-tree.ts'
import type { KeptTarget } from './manifest.ts'

/** Left free on the disk of the copies whatever they need. */
const SPARE_BYTES = 16 * 1024 * 1024

/** What a copy would be made of. */
export interface Survey {
  readonly targets: readonly KeptTarget[]
  readonly entries: readonly TreeEntry[]
  readonly size: TreeSize
  readonly absent: number
}

/** Looks at everything that would be copied, and throws CS_BACKUP where that cannot be done. */
export function survey(given: readonly BackupTarget[], bounds: BackupBounds, home: Home): Survey {
  const count = countTrees(bounds)
  const paths = outermost(given.flatMap(pathsOf))
  const entries: TreeEntry[] = []
  const targets = paths.map((path): KeptTarget => {
    if (`${home.dir}/`.startsWith(path === '/' ? path : `${path}/`))
      throw unfit(`\`${path}\` holds the gate’s own folder`)
    refuseMoved(dirname(path))
    const found = readTree(path, count)
    if (found[0]?.type === 'other') throw unfit(`\`${path}\` is neither a file nor a folder`)
    for (const entry of found) {
      if (entry.type === 'file') refuseUnreadable(entry)
      if (entry.type !== 'other') entries.push(entry)
    }
    return found.length === 0
      ? { path, was: 'absent', below: deepestExisting(dirname(path)) }
      : { path, was: 'present' }
  })
  for (const { use, real } of given) if (use === 'write') refuseSeveralNames(real)
  refuseFullDisk(count.size.bytes, home)
  return { targets, entries, size: count.size, absent: targets.filter(({ was }) => was === 'absent').length }
}

/**
 * What is deleted by the name of a link is the link. What is written by one may be either: some programs write where it
 * leads, others put a new file or link in its place.
 */
function pathsOf({ real, use, entry }: BackupTarget): readonly string[] {
  if (entry === null || entry.given.endsWith('/')) return [real]
  const name = basename(entry.given)
  if (name === '' || name === '.' || name === '..' || name === '~') return [real]
  const spelled = join(realPath(dirname(entry.given), entry.cwd), name)
  if (treeEntry(spelled)?.type !== 'link') return [real]
  return use === 'delete' ? [spelled] : [spelled, real]
}

/** Said before anyone is asked, and not only when the copy is made. */
function refuseUnreadable({ path }: TreeEntry): void {
  try {
    accessSync(path, constants.R_OK)
  } catch {
    throw unfit(`\`${path}\` may not be read`)
  }
}

/** Undoing puts one name back: a file that goes by others too would stay changed under those. */
function refuseSeveralNames(path: string): void {
  const entry = treeEntry(path)
  if (entry?.type === 'file' && entry.stats.nlink > 1n)
    throw unfit(`\`${path}\` is also known by another name (a hard link), which would change with it`)
}

/** A path inside another is copied with it. */
function outermost(paths: readonly string[]): readonly string[] {
  const all = [...new Set(paths)].sort()
  return all.filter((path) => !all.some((other) => other !== path && path.startsWith(`${other}/`)))
}

function refuseFullDisk(bytes: number, home: Home): void {
  const { bavail, bsize } = statfsSync(deepestExisting(home.backups))
  if (bavail * bsize < bytes + SPARE_BYTES)
    throw unfit(`there is no room for ${sizeWords(bytes)} where copies are kept (\`${home.backups}\`)`)
}
