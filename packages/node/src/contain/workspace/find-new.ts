import { chmodSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CONTAINMENT } from '@countersign/core'
import { entriesOf, identityOf, inFolder, isReallyBelow, lstatOf, namesWithoutText } from './look.ts'
import { newDeeperParts } from './repository-parts.ts'
import { finish, lookInto, markOf, newWalk, type Scan, searchGenerated } from './scan-workspace.ts'

/** The most new folders that are searched; what is in others is taken away unseen. INVARIANT: L10. */
const MOST_NEW_FOLDERS = 100_000

const { git } = CONTAINMENT.protectedNames

/** A protected name that was not there before. */
export interface NewName {
  /** What to take away. */
  readonly path: string
  /** The new repository it makes, which may be harmless; null for any other name. */
  readonly repository: string | null
}

/** What others would run by themselves that is there now and was not before. Only folders that changed are read again. */
export function newlyGuarded(before: Scan): readonly NewName[] {
  const walk = newWalk([], false, (folder) => open(folder, before.root))
  const standing = new Set<string>()
  for (const [folder, mark] of before.folders) {
    // SECURITY: a folder that is a link by now, or below one, is somebody else's.
    if (folder !== before.root && !standing.has(dirname(folder))) continue
    const now = markOf(folder)
    if (now === undefined) continue
    standing.add(folder)
    if (mark === null || now !== mark) lookInto(folder, walk)
  }
  const fresh = walk.queue.filter((folder) => !before.folders.has(folder))
  walk.queue.splice(0, walk.queue.length, ...fresh)
  finish(walk, MOST_NEW_FOLDERS)
  for (const folder of before.generated) if (standing.has(dirname(folder))) searchGenerated(folder, walk)
  const isReplaced = (path: string): boolean => {
    const now = before.strangers.has(path) ? identityOf(path) : undefined
    return now !== undefined && now !== before.strangers.get(path)
  }
  const replaced = [...before.strangers.keys()].filter(isReplaced)
  const known = new Set([...before.guarded, ...before.links, ...before.repositories])
  for (const path of replaced) known.delete(path)
  const repositories = [...walk.repositories, ...before.repositories]
  const made = [...new Set(repositories)].filter((path) => !known.has(path))
  const parts = before.repositories.flatMap((folder) => [...git].map((part) => join(folder, part)))
  const appeared = [...parts, ...before.absent].filter((path) => lstatOf(path) !== undefined)
  const deeper = before.repositories.flatMap((folder) => newDeeperParts(folder, known))
  const unseen = walk.unsearched.map(({ path }) => topmostNew(path, before))
  const names = [
    ...walk.guarded.filter((path) => !before.repositories.some((folder) => path.startsWith(`${folder}/worktrees/`))),
    ...walk.links,
    ...appeared,
    ...replaced.filter((path) => !made.includes(path)),
    ...deeper,
    ...unseen,
    ...walk.nameless.flatMap((folder) => renamed(folder, before.root)),
  ]
  return [
    // A folder that was there before stops being a repository without its HEAD.
    ...made.map((path) => ({ path: before.folders.has(path) ? join(path, 'HEAD') : path, repository: path })),
    ...[...new Set(names)]
      .filter((path) => !known.has(path) && !made.includes(dirname(path)))
      .map((path) => ({ path, repository: null })),
  ].filter(({ path }) => isReallyBelow(path, before.root))
}

/** A folder that the run closed to everybody is opened again. */
function open(folder: string, root: string): void {
  const mode = lstatOf(folder)?.mode ?? 0
  try {
    inFolder(folder, root, (at) => chmodSync(at, (mode & 0o777) | 0o700))
  } catch {
    // Then it counts as not searched.
  }
}

function topmostNew(path: string, before: Scan): string {
  let top = path
  while (top.startsWith(`${before.root}/`) && !before.folders.has(dirname(top))) top = dirname(top)
  return top
}

/** Gives each name that no text can express one that can be moved away. */
function renamed(folder: string, root: string): readonly string[] {
  return namesWithoutText(folder, entriesOf(folder) ?? []).flatMap(({ name }, at) => {
    const made = `name-without-text-${process.pid}-${at}`
    try {
      inFolder(folder, root, (own) => renameSync(Buffer.concat([Buffer.from(`${own}/`), name]), join(own, made)))
      return [join(folder, made)]
    } catch {
      return []
    }
  })
}
