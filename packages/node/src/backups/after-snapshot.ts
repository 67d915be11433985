import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countTrees, outermost, readTree, type TreeEntry } from './file-tree.ts'
import type { Manifest } from './manifest.ts'

const AFTER = 'after.json'

/** What a call may add and still be noted: it is looked at while the caller waits. */
const MOST_ADDED = 20_000
/** The most that a person who undoes waits for. */
const MOST_PLANNED = 2_000_000

/** The size, times and identity of a file: enough to see that it changed since. */
export function lookOf({ type, stats, link }: TreeEntry): string {
  if (type === 'folder') return `folder:${stats.mode}`
  return `${type}:${stats.mode}:${stats.size}:${stats.mtimeNs}:${stats.ino}${link === undefined ? '' : `:${link}`}`
}

/** Everything there is now where the call had its targets. */
export function targetsNow(targets: Manifest['targets'], files = MOST_PLANNED): readonly TreeEntry[] {
  const count = countTrees({ files, bytes: Number.POSITIVE_INFINITY })
  return outermost(targets.map(({ path }) => path)).flatMap((path) => readTree(path, count))
}

/** Writes down what the call left behind. */
export function writeAfter(folder: string, manifest: Manifest): void {
  const now = targetsNow(manifest.targets, manifest.entries.length + MOST_ADDED)
  const looks = Object.fromEntries(now.map((entry) => [entry.path, lookOf(entry)]))
  writeFileSync(join(folder, AFTER), JSON.stringify(looks), { mode: 0o600 })
}

/** What the call left behind; null when nobody could write it down. */
export function readAfter(folder: string): ReadonlyMap<string, string> | null {
  try {
    const value: unknown = JSON.parse(readFileSync(join(folder, AFTER), 'utf8'))
    return typeof value === 'object' && value !== null ? new Map(Object.entries(value as Record<string, string>)) : null
  } catch {
    return null
  }
}
