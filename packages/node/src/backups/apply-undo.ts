import { hash } from 'node:crypto'
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
import { asRefs, type BackupRef, planUndo, type UndoPlan, type UndoStep } from './undo-plan.ts'

/** Set-user-id and set-group-id. */
const RUNS_AS_OWNER = 0o6000

/**
 * Applies a plan, which must still equal a freshly computed one. Each file changes in one step; a crash
 * in between leaves some done and some not, and undoing again does the rest.
 */
export async function applyUndo(home: Home, given: BackupRef | readonly BackupRef[], shown: UndoPlan): Promise<void> {
  const refs = asRefs(given)
  const plan = await planUndo(home, refs)
  if (JSON.stringify(plan) !== JSON.stringify(shown))
    throw new CountersignError('CS_STALE', 'the files changed since the plan was shown; show it again')
  const copies = new Map(refs.map((ref) => [ref.name, openCopy(home, ref)]))
  const keptAt = ({ path, from }: UndoStep): KeptEntry | undefined => copies.get(from ?? '')?.entries.get(path)
  for (const step of plan.steps) if (step.does === 'remove') await remove(step)
  for (const step of plan.steps) {
    const entry = keptAt(step)
    const copy = copies.get(step.from ?? '')
    if (entry === undefined || copy === undefined) continue
    await inParent(step.path, (parent) => restore(entry, copy.folder, parent))
  }
  for (const { manifest } of copies.values()) await removeEmptyParents(manifest)
  await restoreFolderTimes(
    plan,
    [...copies.values()].map(({ entries }) => entries),
  )
  for (const path of new Set(plan.steps.map((step) => dirname(step.path))))
    if (treeEntry(path)) await inHeldFolder(path, ({ at }) => syncFolder(at))
}

interface Copy {
  readonly folder: string
  readonly manifest: Manifest
  readonly entries: ReadonlyMap<string, KeptEntry>
}

function openCopy(home: Home, ref: BackupRef): Copy {
  const folder = join(home.backups, ref.name)
  const manifest = readManifest(folder, ref.manifest)
  return { folder, manifest, entries: new Map(manifest.entries.map((entry) => [entry.path, entry])) }
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
  // The same name each time: what a crash left behind is replaced by the next undo.
  const making = join(parent.at, `.countersign-undo-${hash('sha256', `${folder}\0${path}`, 'hex').slice(0, 16)}`)
  discard(making)
  if (type === 'folder' && now?.type === 'folder') {
    await whileHeld(holdInside(parent, basename(path), path), (made) => giveBackFolder(made.at, entry))
    return
  }
  if (type === 'folder' && now !== null) unlinkSync(at)
  if (type !== 'folder' && now?.type === 'folder' && !removeIfEmpty(at))
    throw unfit(`\`${path}\` now contains other files; move them away and undo again`)
  try {
    if (type === 'link') makeLink(entry, making)
    else if (type === 'folder') await makeFolder(entry, making, parent)
    else await makeFile(entry, folder, making)
    renameSync(making, at)
  } catch (error) {
    discard(making)
    throw error
  }
}

function discard(making: string): void {
  const left = treeEntry(making)
  if (left?.type === 'folder') removeIfEmpty(making)
  else if (left !== null) unlinkSync(making)
}

/** With its mode before it has its name: a crash leaves no folder with another one. */
async function makeFolder(entry: KeptEntry, making: string, parent: HeldFolder): Promise<void> {
  mkdirSync(making, { mode: 0o700 })
  await whileHeld(holdInside(parent, basename(making), making), (made) => giveBackFolder(made.at, entry))
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
async function restoreFolderTimes({ steps }: UndoPlan, kept: readonly Copy['entries'][]): Promise<void> {
  for (const path of new Set(steps.flatMap((step) => [step.path, dirname(step.path)]))) {
    const entry = kept.find((entries) => entries.has(path))?.get(path)
    if (entry?.type !== 'folder') continue
    await inHeldFolder(path, ({ at }) => utimesSync(at, entry.accessedAt / 1000, entry.changedAt / 1000))
  }
}
