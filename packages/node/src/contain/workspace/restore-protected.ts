import {
  cpSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { newlyGuarded } from './find-new.ts'
import { inFolder, isReallyBelow, lstatOf } from './look.ts'
import { isPlainRepository } from './new-repository.ts'
import type { Scan } from './scan-workspace.ts'

const MOST_RUNS = 50

/** A protected name that a contained command created or replaced. */
export interface Restored {
  readonly path: string
  /** Where the command's version is now; null if it could not be kept. */
  readonly kept: string | null
  /** Whether it could not even be deleted: a person has to. */
  readonly remains: boolean
}

/** What must be the same after a run. */
export interface Watched {
  readonly scans: readonly Scan[]
  /** Symbolic links with protected names, which cannot be mounted read-only, and where they lead. */
  readonly links: ReadonlyMap<string, { readonly target: string; readonly root: string }>
}

export function watchProtected(scans: readonly Scan[]): Watched {
  const links = scans.flatMap(({ links, root }) => links.map((path) => ({ path, root })))
  return { scans, links: new Map(links.map(({ path, root }) => [path, { target: readlinkSync(path), root }])) }
}

/**
 * Moves what a run created under a protected name into `quarantine`, and puts replaced links back. To be called when nothing of
 * the run is alive any more. Never throws: the run has happened, and must be reported.
 */
export function restoreProtected({ scans, links }: Watched, quarantine: string): readonly Restored[] {
  const restored: Restored[] = []
  const take = (path: string, root: string): void => {
    // SECURITY: a run may have put links in the place of folders; nothing outside is ever moved.
    if (lstatOf(path) !== undefined && isReallyBelow(path, root))
      restored.push({ path, ...moveAway(path, root, join(quarantine, `${restored.length}`)) })
  }
  for (const scan of scans)
    for (const { path, repository } of newlyGuarded(scan)) {
      const isInside = restored.some((one) => path.startsWith(`${one.path}/`))
      const isFile = basename(path).toLowerCase() === '.git' && repository === null
      const isHarmless = isPlainRepository(repository ?? (isFile ? path : null), scan.root)
      if (!isHarmless && !isInside) take(path, scan.root)
    }
  for (const [path, { target, root }] of links) {
    if (!isReallyBelow(path, root) || linkOf(path) === target) continue
    take(path, root)
    if (!restored.some((one) => one.path === path)) restored.push({ path, kept: null, remains: false })
    try {
      inFolder(dirname(path), root, (at) => symlinkSync(target, join(at, basename(path))))
    } catch {
      // Still occupied, which `remains` tells.
    }
  }
  if (restored.length > 0) pruneRuns(dirname(quarantine))
  return restored
}

/** Keeps what the last runs created. INVARIANT: L10. */
function pruneRuns(folder: string): void {
  try {
    const runs = readdirSync(folder).map((name) => join(folder, name))
    const byAge = runs.sort((a, b) => (lstatOf(b)?.mtimeMs ?? 0) - (lstatOf(a)?.mtimeMs ?? 0))
    for (const run of byAge.slice(MOST_RUNS)) rmSync(run, { recursive: true, force: true })
  } catch {
    // Tried again after the next such run.
  }
}

function linkOf(path: string): string | undefined {
  return lstatOf(path)?.isSymbolicLink() ? readlinkSync(path) : undefined
}

/** SECURITY: what cannot be kept is deleted: it must not stay where others would run it. */
function moveAway(path: string, root: string, quarantine: string): Pick<Restored, 'kept' | 'remains'> {
  const kept = join(quarantine, basename(path))
  const isKept = inFolder(dirname(path), root, (at) => {
    const here = join(at, basename(path))
    try {
      mkdirSync(quarantine, { recursive: true, mode: 0o700 })
      try {
        renameSync(here, kept)
      } catch {
        cpSync(here, kept, { recursive: true, verbatimSymlinks: true })
        removeTree(at, basename(path))
      }
      return true
    } catch {
      try {
        removeTree(at, basename(path))
      } catch {
        // Told below.
      }
      return false
    }
  })
  return { kept: isKept === true ? kept : null, remains: isKept !== true && lstatOf(path) !== undefined }
}

/** Deletes a name in a folder with all that is below, without ever leaving the folder through a link. */
function removeTree(at: string, name: string): void {
  const path = join(at, name)
  if (!lstatOf(path)?.isDirectory()) {
    unlinkSync(path)
    return
  }
  inFolder(path, at, (inner) => {
    for (const below of readdirSync(inner)) removeTree(inner, below)
  })
  rmdirSync(path)
}
