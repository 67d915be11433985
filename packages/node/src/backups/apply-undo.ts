import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  constants,
  copyFileSync,
  lchownSync,
  lutimesSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { CountersignError } from '@countersign/core'
import { systemCode } from '../files/private-file.ts'
import type { Home } from '../home/home.ts'
import { hashFile, syncFolder } from './copy-file.ts'
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
  for (const step of plan.steps) if (step.does === 'remove') remove(step)
  for (const step of plan.steps) {
    const entry = kept.get(step.path)
    if (step.does === 'remove' || entry === undefined) continue
    refuseMoved(dirname(step.path)) // SECURITY: A7, a large tree takes a while
    await restore(entry, folder)
  }
  removeEmptyParents(manifest)
  restoreFolderTimes(plan, kept)
  for (const path of new Set(plan.steps.map((step) => dirname(step.path)))) if (treeEntry(path)) syncFolder(path)
}

function remove({ path, type }: UndoStep): void {
  refuseMoved(dirname(path))
  if (type === 'folder') removeIfEmpty(path)
  else unlinkSync(path)
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

async function restore(entry: KeptEntry, folder: string): Promise<void> {
  const { path, type } = entry
  const now = treeEntry(path)
  if (type === 'folder') {
    if (now !== null && now.type !== 'folder') unlinkSync(path)
    if (now?.type !== 'folder') mkdirSync(path)
    giveBack(path, entry)
    return
  }
  if (now?.type === 'folder' && !removeIfEmpty(path))
    throw unfit(`\`${path}\` is a folder with other files by now; move them away and undo again`)
  const making = join(dirname(path), `.countersign-undo-${randomBytes(6).toString('hex')}`)
  try {
    if (type === 'link') makeLink(entry, making)
    else await makeFile(entry, folder, making)
    renameSync(making, path)
  } catch (error) {
    if (treeEntry(making)) unlinkSync(making)
    throw error
  }
}

function makeLink({ link = '', accessedAt, changedAt }: KeptEntry, to: string): void {
  symlinkSync(link, to)
  lutimesSync(to, accessedAt / 1000, changedAt / 1000)
}

async function makeFile(entry: KeptEntry, folder: string, to: string): Promise<void> {
  copyFileSync(join(folder, entry.copy ?? ''), to, constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL)
  if ((await hashFile(to, 'sync')) !== entry.sha256)
    throw unfit(`the copy of \`${entry.path}\` was changed or is damaged; it was not restored`)
  giveBack(to, entry)
  utimesSync(to, entry.accessedAt / 1000, entry.changedAt / 1000)
}

/** SECURITY: a program that ran as its owner must not come back running as whoever undid. */
function giveBack(path: string, { uid, gid, mode }: KeptEntry): void {
  const made = treeEntry(path)?.stats
  const isOwn = made !== undefined && Number(made.uid) === uid && Number(made.gid) === gid
  chmodSync(path, isOwn || mayGive(path, uid, gid) ? mode : mode & ~RUNS_AS_OWNER)
}

function mayGive(path: string, uid: number, gid: number): boolean {
  try {
    lchownSync(path, uid, gid)
    return true
  } catch (error) {
    if (systemCode(error) === undefined) throw error
    return false
  }
}

/** Folders that had to be made for something new are taken away with it, if nothing else moved in. */
function removeEmptyParents({ targets }: Manifest): void {
  for (const target of targets) {
    if (target.was !== 'absent') continue
    for (let at = dirname(target.path); at.length > target.below.length; at = dirname(at)) {
      if (!removeIfEmpty(at)) break
    }
  }
}

/** Last, for every change inside moves them. */
function restoreFolderTimes({ steps }: UndoPlan, kept: ReadonlyMap<string, KeptEntry>): void {
  for (const path of new Set(steps.flatMap((step) => [step.path, dirname(step.path)]))) {
    const entry = kept.get(path)
    if (entry?.type === 'folder') utimesSync(path, entry.accessedAt / 1000, entry.changedAt / 1000)
  }
}
