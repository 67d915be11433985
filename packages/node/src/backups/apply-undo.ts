import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  futimesSync,
  lutimesSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { type HeldFolder, holdInside, inHeldFolder, whileHeld } from '../files/held-folder.ts'
import { systemCode } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { copyBytes, syncFolder } from './copy-file.ts'
import { refuseMoved, treeEntry, unfit } from './file-tree.ts'
import { type KeptEntry, type Manifest, readManifest } from './manifest.ts'
import { type BackupRef, planUndo, type UndoPlan, type UndoStep } from './undo-plan.ts'

/** Set-user-id and set-group-id. */
const RUNS_AS_OWNER = 0o6000

/**
 * Applies a plan, which must still equal a freshly computed one. Each file changes in one step; a crash
 * in between leaves some done and some not, and undoing again does the rest.
 */
export async function applyUndo(home: Home, ref: BackupRef, shown: UndoPlan): Promise<void> {
  const plan = await planUndo(home, ref)
  if (JSON.stringify(plan) !== JSON.stringify(shown))
    throw new CountersignError('CS_STALE', 'the files changed since the plan was shown; show it again')
  const folder = join(home.backups, ref.name)
  const manifest = readManifest(folder, ref.manifest)
  const kept = new Map(manifest.entries.map((entry) => [entry.path, entry]))
  for (const step of plan.steps) if (step.does === 'remove') await remove(step)
  for (const step of plan.steps) {
    const entry = kept.get(step.path)
    if (step.does === 'remove' || entry === undefined) continue
    await inParent(step.path, (parent) => restore(entry, folder, parent))
  }
  await removeEmptyParents(manifest)
  await restoreFolderTimes(plan, kept)
  for (const path of new Set(plan.steps.map((step) => dirname(step.path))))
    if (treeEntry(path)) await inHeldFolder(path, ({ at }) => syncFolder(at))
}

/** SECURITY: A7 a command that runs meanwhile can put a link in the place of a folder, and a large tree takes a while. */
async function inParent<T>(path: string, act: (parent: HeldFolder) => T | Promise<T>): Promise<T> {
  refuseMoved(dirname(path))
  return inHeldFolder(dirname(path), act)
}

async function remove({ path, type }: UndoStep): Promise<void> {
  await inParent(path, ({ at }) => {
    if (type === 'folder') removeIfEmpty(join(at, basename(path)))
    else unlinkSync(join(at, basename(path)))
  })
}

/** False when something that the call did not make is in there by now. */
function removeIfEmpty(path: string): boolean {
  try {
    rmdirSync(path)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return true
    if (systemCode(error) === 'ENOTEMPTY' || systemCode(error) === 'EEXIST') return false
    throw error
  }
}

async function restore(entry: KeptEntry, folder: string, parent: HeldFolder): Promise<void> {
  const { path, type } = entry
  const at = join(parent.at, basename(path))
  const now = treeEntry(at)
  if (type === 'folder') {
    if (now !== null && now.type !== 'folder') unlinkSync(at)
    if (now?.type !== 'folder') mkdirSync(at)
    await whileHeld(holdInside(parent, basename(path), path), (made) => giveBackFolder(made.at, entry))
    return
  }
  if (now?.type === 'folder' && !removeIfEmpty(at))
    throw unfit(`\`${path}\` is a folder with other files by now; move them away and undo again`)
  const making = join(parent.at, `.countersign-undo-${randomBytes(6).toString('hex')}`)
  try {
    if (type === 'link') makeLink(entry, making)
    else await makeFile(entry, folder, making)
    renameSync(making, at)
  } catch (error) {
    if (treeEntry(making)) unlinkSync(making)
    throw error
  }
}

function makeLink({ link = '', accessedAt, changedAt }: KeptEntry, to: string): void {
  symlinkSync(link, to)
  lutimesSync(to, accessedAt / 1000, changedAt / 1000)
}

/** SECURITY: A7 by open files only: another one may have the new name by now. */
async function makeFile(entry: KeptEntry, folder: string, to: string): Promise<void> {
  const from = openSync(join(folder, entry.copy ?? ''), constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const made = openSync(to, 'wx', 0o600)
    try {
      if ((await copyBytes(from, made, fstatSync(from).size)) !== entry.sha256)
        throw unfit(`the copy of \`${entry.path}\` was changed or is damaged; it was not restored`)
      const { uid, gid } = entry
      fchmodSync(
        made,
        restoredMode(entry, fstatSync(made), () => fchownSync(made, uid, gid)),
      )
      futimesSync(made, entry.accessedAt / 1000, entry.changedAt / 1000)
      fsyncSync(made)
    } finally {
      closeSync(made)
    }
  } finally {
    closeSync(from)
  }
}

function giveBackFolder(at: string, entry: KeptEntry): void {
  chmodSync(
    at,
    restoredMode(entry, statSync(at), () => chownSync(at, entry.uid, entry.gid)),
  )
}

/**
 * The mode to restore, after the owner was. SECURITY: a program that ran as its owner must not come back running as
 * whoever undid.
 */
function restoredMode({ uid, gid, mode }: KeptEntry, made: { uid: number; gid: number }, give: () => void): number {
  if (made.uid === uid && made.gid === gid) return mode
  try {
    give()
    return mode
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return mode & ~RUNS_AS_OWNER
  }
}

/** Folders that had to be made for something new are taken away with it, if nothing else moved in. */
async function removeEmptyParents({ targets }: Manifest): Promise<void> {
  for (const target of targets) {
    if (target.was !== 'absent') continue
    for (let path = dirname(target.path); path.length > target.below.length; path = dirname(path)) {
      if (treeEntry(path) === null) continue
      const name = basename(path)
      if (!(await inHeldFolder(dirname(path), ({ at }) => removeIfEmpty(join(at, name))))) break
    }
  }
}

/** Last, for every change inside moves them. */
async function restoreFolderTimes({ steps }: UndoPlan, kept: ReadonlyMap<string, KeptEntry>): Promise<void> {
  for (const path of new Set(steps.flatMap((step) => [step.path, dirname(step.path)]))) {
    const entry = kept.get(path)
    if (entry?.type !== 'folder') continue
    await inHeldFolder(path, ({ at }) => utimesSync(at, entry.accessedAt / 1000, entry.changedAt / 1000))
  }
}
