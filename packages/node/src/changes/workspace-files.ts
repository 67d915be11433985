import { lstatSync, type Stats, statfsSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import {
  type ChangeKind,
  type FileWatch,
  type FoundChanges,
  type FoundFile,
  type InstalledChanges,
  MOST_CHANGED_FILES,
  type WorkspaceFiles,
} from '@countersign/core'
import { fileStates } from './file-state.ts'
import { walkFolders } from './folder-walk.ts'

/** Times of local files have the grain of the kernel's tick. */
const TICK_MS = 10
/** How far the clock of a remote file system may be behind. */
const REMOTE_MS = 60_000
/** NFS, SMB (three kinds), FUSE, 9p, Ceph, AFS. */
const REMOTE: ReadonlySet<number> = new Set([
  0x69_69, 0x51_7b, 0xff_53_4d_42, 0xfe_53_4d_42, 0x65_73_55_46, 0x01_02_19_97, 0x00_c3_64_00, 0x53_46_41_4f,
])

/** A folder before a run; null if it could not be listed. */
interface FolderBefore {
  readonly identity: string
  readonly ctimeMs: number
  readonly files: ReadonlySet<string> | null
}

/** Files of workspaces on this machine. */
export function openWorkspaceFiles(): WorkspaceFiles {
  return Object.freeze({ now: startOf, watch, changedSince, installedSince, states: fileStates })
}

async function watch(workspace: string): Promise<FileWatch> {
  const since = startOf(workspace)
  const before = new Map<string, FolderBefore>()
  const note = (path: string, stats: Stats, files: ReadonlySet<string> | null): void => {
    before.set(path, { identity: identityOf(stats), ctimeMs: stats.ctimeMs, files })
  }
  await walkFolders(workspace, {
    folder({ path, stats, files }) {
      note(path, stats, new Set(files))
      return false
    },
    closed: (path, stats) => {
      if (stats !== undefined) note(path, stats, null)
    },
  })
  return { since, changed: () => findChanges(workspace, since, before) }
}

function changedSince(workspace: string, since: number): Promise<FoundChanges> {
  return findChanges(workspace, since, null)
}

async function findChanges(
  workspace: string,
  since: number,
  before: ReadonlyMap<string, FolderBefore> | null,
): Promise<FoundChanges> {
  try {
    const found = new Map<string, ChangeKind>()
    const fresh = new Set<string>()
    const visited = new Set<string>()
    /** Folders that were moved, or whose entries changed. */
    const touched = new Set<string>()
    await walkFolders(workspace, {
      folder({ path, stats, files }, isMoved) {
        visited.add(path)
        if (stats.ctimeMs >= since) touched.add(path)
        const known = before?.get(path)
        // SECURITY: not by the time of its last entry, which anybody may set: a moved folder changes itself and its parent.
        const isNewHere =
          before === null ? touched.has(path) && touched.has(dirname(path)) : known?.identity !== identityOf(stats)
        const moves = isMoved || (path !== workspace && isNewHere)
        for (const name of files) {
          const at = `${path}/${name}`
          const changed = (lstatSync(at, { throwIfNoEntry: false })?.ctimeMs ?? 0) >= since
          if (changed || moves) found.set(at, changed ? 'written' : 'moved')
          if (before !== null && known?.files?.has(name) !== true) fresh.add(at)
        }
        const now = new Set(files)
        for (const name of known?.files ?? []) if (!now.has(name)) found.set(`${path}/${name}`, 'deleted')
        if (found.size > MOST_CHANGED_FILES) throw new Error('too many of its files were changed')
        return moves
      },
      closed(path, stats) {
        visited.add(path)
        const known = before?.get(path)
        const isSame = known?.files === null && known.ctimeMs === stats?.ctimeMs
        if (before === null ? isClosedSince(stats, since) : !isSame) throw new Error(CLOSED)
      },
    })
    for (const [folder, { files }] of before ?? [])
      if (!visited.has(folder)) for (const name of files ?? []) found.set(`${folder}/${name}`, 'deleted')
    if (found.size > MOST_CHANGED_FILES) throw new Error('too many of its files were changed')
    return { kind: 'files', files: await statesOf(workspace, found, fresh) }
  } catch (error) {
    return { kind: 'unknown', why: error instanceof Error ? error.message : 'it can’t be searched' }
  }
}

const CLOSED = 'one of its folders can’t be read'

/** Whether something may have changed in a folder that can't be listed. SECURITY: A7 a command can close a folder and open it again. */
function isClosedSince(stats: Stats | undefined, since: number): boolean {
  return stats === undefined || stats.ctimeMs >= since
}

async function statesOf(
  workspace: string,
  found: ReadonlyMap<string, ChangeKind>,
  fresh: ReadonlySet<string>,
): Promise<readonly FoundFile[]> {
  const changes = [...found].map(([at, change]) => ({ path: relative(workspace, at), change, isNew: fresh.has(at) }))
  const states = await fileStates(
    workspace,
    changes.map(({ path }) => ({ path, content: '', mark: '' })),
  )
  return states.map((state, at) => {
    const change = state.content === 'absent' ? 'deleted' : (changes[at]?.change ?? 'written')
    const isNew = changes[at]?.isNew === true ? ({ isNew: true } as const) : {}
    return { ...state, ...isNew, change: change === 'deleted' && state.content !== 'absent' ? 'written' : change }
  })
}

async function installedSince(workspace: string, since: number): Promise<InstalledChanges> {
  const tops: string[] = []
  const closed = (_: string, stats?: Stats): void => {
    if (isClosedSince(stats, since)) throw new Error(CLOSED)
  }
  await walkFolders(workspace, { folder: () => false, installed: (path) => tops.push(path), closed })
  const folders: { path: string; files: number }[] = []
  let until = since
  for (const top of tops) {
    let files = 0
    const note = (ctimeMs: number, count: number): void => {
      files += count
      until = Math.max(until, Math.ceil(ctimeMs) + TICK_MS)
    }
    await walkFolders(
      top,
      {
        folder({ path, stats, files: names }) {
          // A folder that was moved here, with files that did not change, or one whose entries changed.
          const isTouched = stats.ctimeMs >= since
          if (isTouched) note(stats.ctimeMs, Math.max(1, names.length))
          for (const name of names) {
            const ctimeMs = lstatSync(`${path}/${name}`, { throwIfNoEntry: false })?.ctimeMs ?? 0
            if (ctimeMs >= since) note(ctimeMs, isTouched ? 0 : 1)
          }
          return false
        },
        closed,
      },
      true,
    )
    if (files > 0) folders.push({ path: `${relative(workspace, top)}/`, files })
  }
  return { folders, until }
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}:${ino}`
}

function startOf(workspace: string): number {
  return Date.now() - (REMOTE.has(statfsSync(workspace).type) ? REMOTE_MS : TICK_MS)
}
