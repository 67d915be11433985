import { dirname, join } from 'node:path'
import type { Home } from '../home/home.ts'
import { lookOf, readAfter, targetsNow } from './after-snapshot.ts'
import { hashFile } from './copy-file.ts'
import { refuseMoved, type TreeEntry } from './file-tree.ts'
import { type KeptEntry, type Manifest, readManifest } from './manifest.ts'

/** One thing that undoing does. */
export interface UndoStep {
  readonly path: string
  /** `change` puts the old content back, `bring-back` makes it again, `remove` takes away what the call made. */
  readonly does: 'change' | 'bring-back' | 'remove'
  readonly type: 'file' | 'folder' | 'link'
  /** Somebody changed it after the call, or nobody can tell whether. */
  readonly since: 'same' | 'changed' | 'unknown'
}

/** What undoing one call would do now. */
export interface UndoPlan {
  readonly name: string
  readonly call: string
  readonly madeAt: number
  /** The targets of the call: what a policy judges the undoing by. */
  readonly targets: readonly string[]
  readonly steps: readonly UndoStep[]
  /** Made after the call by somebody else: left alone. */
  readonly left: readonly string[]
}

/** A backup, as the journal names it. */
export interface BackupRef {
  readonly name: string
  readonly manifest: string
  /** Only this file of it. */
  readonly only?: string
}

/** Compares a copy with what is there now. INVARIANT: nothing that the call did not make is ever removed. */
export async function planUndo(home: Home, { name, manifest: expected, only }: BackupRef): Promise<UndoPlan> {
  const folder = join(home.backups, name)
  const manifest = readManifest(folder, expected)
  for (const at of new Set([...manifest.targets, ...manifest.entries].map(({ path }) => dirname(path)))) refuseMoved(at)
  const after = readAfter(folder)
  const now = new Map(targetsNow(manifest).map((entry) => [entry.path, entry]))
  const before = new Map(manifest.entries.map((entry) => [entry.path, entry]))
  const steps: UndoStep[] = []
  const left: string[] = []
  const since = (path: string): UndoStep['since'] => {
    if (after === null) return 'unknown'
    const entry = now.get(path)
    return after.get(path) === (entry === undefined ? undefined : lookOf(entry)) ? 'same' : 'changed'
  }
  for (const entry of [...now.values()].reverse()) {
    if (before.has(entry.path) || entry.type === 'other') continue
    if (after !== null && !after.has(entry.path)) left.push(entry.path)
    else if (after === null && isInKept(entry.path, manifest)) left.push(entry.path)
    else steps.push({ path: entry.path, does: 'remove', type: entry.type, since: since(entry.path) })
  }
  for (const entry of before.values()) {
    const found = now.get(entry.path)
    if (found !== undefined && (await isSame(entry, found))) continue
    const does = found === undefined ? 'bring-back' : 'change'
    steps.push({ path: entry.path, does, type: entry.type, since: since(entry.path) })
  }
  const plan = { name, call: manifest.call, madeAt: manifest.madeAt }
  if (only !== undefined)
    return { ...plan, targets: [only], steps: steps.filter(({ path }) => path === only), left: [] }
  const targets = manifest.targets.map(({ path }) => path)
  return { ...plan, targets, steps, left }
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
