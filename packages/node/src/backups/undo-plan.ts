import { dirname, join } from 'node:path'
import { CountersignError, countWords } from '@countersign/core'
import type { Home } from '../home/home.ts'
import { lookOf, readAfter, targetsNow } from './after-snapshot.ts'
import { hashFile } from './copy-file.ts'
import { outermost, refuseMoved, type TreeEntry } from './file-tree.ts'
import { type KeptEntry, type Manifest, readManifest } from './manifest.ts'

/** One thing that undoing does. */
export interface UndoStep {
  readonly path: string
  /** `change` puts the old content back, `bring-back` makes it again, `remove` takes away what the call made. */
  readonly does: 'change' | 'bring-back' | 'remove'
  readonly type: 'file' | 'folder' | 'link'
  /** Somebody changed it after the call, or between two of them, or nobody can tell whether. */
  readonly since: 'same' | 'changed' | 'unknown'
  /** The backup that has it; null for what is removed. */
  readonly from: string | null
  /** Size, times and identity of what is there now; null if nothing is. */
  readonly now: string | null
}

/** What undoing some calls together would do now. */
export interface UndoPlan {
  /** Oldest first. */
  readonly calls: readonly string[]
  /** When the first of them changed something. */
  readonly madeAt: number
  /** What the undo changes: a policy judges it by these paths. */
  readonly targets: readonly string[]
  readonly steps: readonly UndoStep[]
  /** Made by somebody else: left alone. */
  readonly left: readonly string[]
}

/** A backup, as the journal names it. */
export interface BackupRef {
  readonly name: string
  readonly manifest: string
  /** Only these files of it. */
  readonly only?: readonly string[]
}

/** INVARIANT: L10, so many calls are undone together. */
export const MOST_UNDONE = 500

interface OpenedBackup {
  readonly name: string
  readonly manifest: Manifest
  readonly entries: ReadonlyMap<string, KeptEntry>
  readonly after: ReadonlyMap<string, string> | null
}

/**
 * Compares copies with what is there now. Of several copies of a file the oldest counts, so that all of the calls are
 * undone. INVARIANT: nothing that the calls did not make is ever removed.
 */
export async function planUndo(home: Home, given: BackupRef | readonly BackupRef[]): Promise<UndoPlan> {
  const refs = asRefs(given)
  const backups = refs
    .map((ref) => openBackup(home, ref))
    .sort((a, b) => a.manifest.madeAt - b.manifest.madeAt || (a.name < b.name ? -1 : 1))
  const [oldest] = backups
  if (oldest === undefined)
    throw new CountersignError('CS_USAGE', 'no call to undo; list them with `countersign undo --list`')
  const paths = new Set(
    backups.flatMap(({ manifest }) => [...manifest.targets, ...manifest.entries].map(({ path }) => path)),
  )
  for (const at of new Set([...paths].map((path) => dirname(path)))) refuseMoved(at)
  const covering = coveringIndex(backups)
  const now = new Map(
    targetsNow(backups.flatMap(({ manifest }) => manifest.targets)).map((entry) => [entry.path, entry]),
  )
  const steps: UndoStep[] = []
  const left: string[] = []
  const lookNow = (path: string): string | null => {
    const entry = now.get(path)
    return entry === undefined ? null : lookOf(entry)
  }
  const sinceOf = (path: string): UndoStep['since'] => since(path, lookNow(path), covering(path))
  for (const { path, type } of [...now.values()].reverse()) {
    const of = covering(path)
    if (of[0]?.entries.has(path) !== false || type === 'other') continue
    if (!of.some((backup) => made(path, backup))) left.push(path)
    else steps.push({ path, does: 'remove', type, since: sinceOf(path), from: null, now: lookNow(path) })
  }
  const restored: UndoStep[] = []
  for (const { name, entries } of backups)
    for (const entry of entries.values()) {
      const { path, type } = entry
      if (covering(path)[0]?.name !== name) continue
      const found = now.get(path)
      if (found !== undefined && (await isSame(entry, found))) continue
      const does = found === undefined ? 'bring-back' : 'change'
      restored.push({ path, does, type, since: sinceOf(path), from: name, now: lookNow(path) })
    }
  // A file of one copy may need a folder of another.
  const isFolder = ({ type }: UndoStep): boolean => type === 'folder'
  const folders = restored.filter(isFolder).sort((a, b) => (a.path < b.path ? -1 : 1))
  steps.push(...folders, ...restored.filter((step) => !isFolder(step)))
  const only = new Set(refs.flatMap((ref) => ref.only ?? []))
  const chosen = only.size === 0 ? steps : steps.filter((step) => isChosen(step, only))
  return {
    calls: [...new Set(backups.map(({ manifest }) => manifest.call))],
    madeAt: oldest.manifest.madeAt,
    targets: outermost(chosen.map(({ path }) => path)),
    steps: chosen,
    left: only.size === 0 ? left : [],
  }
}

export function asRefs(given: BackupRef | readonly BackupRef[]): readonly BackupRef[] {
  const refs = 'name' in given ? [given] : given
  if (refs.length > MOST_UNDONE)
    throw new CountersignError(
      'CS_USAGE',
      `more than ${countWords(MOST_UNDONE, 'call')} at once; undo the newest first`,
    )
  return refs
}

function openBackup(home: Home, { name, manifest: expected }: BackupRef): OpenedBackup {
  const folder = join(home.backups, name)
  const manifest = readManifest(folder, expected)
  const entries = new Map(manifest.entries.map((entry) => [entry.path, entry]))
  return { name, manifest, entries, after: readAfter(folder) }
}

/** The backups whose targets hold a path, oldest first. */
function coveringIndex(backups: readonly OpenedBackup[]): (path: string) => readonly OpenedBackup[] {
  const at = new Map<string, OpenedBackup[]>()
  for (const backup of backups)
    for (const { path } of backup.manifest.targets) at.set(path, [...(at.get(path) ?? []), backup])
  return (path) => {
    const found = new Set<OpenedBackup>()
    for (let up = path; ; up = dirname(up)) {
      for (const backup of at.get(up) ?? []) found.add(backup)
      if (up === dirname(up)) break
    }
    return found.size < 2 ? [...found] : backups.filter((backup) => found.has(backup))
  }
}

/** Whether the call of a backup made it: it was not there before, and was there after. */
function made(path: string, { entries, after, manifest }: OpenedBackup): boolean {
  if (entries.has(path)) return false
  // Without a note nobody can tell who made a file in a folder that was there before.
  return after === null ? !isInKept(path, manifest) : after.has(path)
}

/** Whether anybody else changed it: after the last of the calls, or between two of them. */
function since(path: string, now: string | null, of: readonly OpenedBackup[]): UndoStep['since'] {
  if (of.some(({ after }) => after === null)) return 'unknown'
  const isSameAfter = of.every(({ after }, at) => {
    const look = after?.get(path) ?? null
    const next = of[at + 1]
    return next === undefined ? look === now : isLookOf(look, next.entries.get(path))
  })
  return isSameAfter ? 'same' : 'changed'
}

/** Whether a copy was made of just what the call before left behind. */
function isLookOf(look: string | null, entry: KeptEntry | undefined): boolean {
  if (look === null || entry === undefined) return look === null && entry === undefined
  const [type, mode, size, mtimeNs] = look.split(':')
  if (type !== entry.type || (Number(mode) & 0o7777) !== entry.mode) return false
  return (
    type === 'folder' || (Number(mtimeNs) / 1e6 === entry.changedAt && (type === 'link' || Number(size) === entry.size))
  )
}

/** A chosen file, or a folder that must be there for it. */
function isChosen({ path, does, type }: UndoStep, only: ReadonlySet<string>): boolean {
  if (only.has(path)) return true
  return type === 'folder' && does === 'bring-back' && [...only].some((one) => one.startsWith(`${path}/`))
}

/** Whether it lies in a folder that was there before: then who made it cannot be told without a note. */
function isInKept(path: string, { targets }: Manifest): boolean {
  return targets.some((target) => target.was === 'present' && path.startsWith(`${target.path}/`))
}

async function isSame(before: KeptEntry, now: TreeEntry): Promise<boolean> {
  if (before.type !== now.type || before.mode !== (Number(now.stats.mode) & 0o7777))
    return before.type === 'link' && now.link === before.link
  if (before.type === 'folder') return true
  if (before.type === 'link') return now.link === before.link
  return Number(now.stats.size) === before.size && (await hashFile(now.path)) === before.sha256
}
