import { isUtf8 } from 'node:buffer'
import { closeSync, fstatSync, readFileSync, readSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { byteWords, comparableMasks, countWords, type Json, maskText, type RestoredFile } from '@countersign/core'
import { openBody } from '../files/opened-file.ts'
import type { Home } from '../home/home.ts'
import { treeEntry } from './file-tree.ts'
import { type KeptEntry, readManifest } from './manifest.ts'
import type { UndoPlan, UndoStep } from './undo-plan.ts'

/** INVARIANT: L10, of what an undo shows. */
const MOST_SHOWN = 40
const MOST_BYTES = 96 * 1024
const MOST_BYTES_IN_ALL = 512 * 1024

/** The steps that people need to read: a folder is told by the files in it. */
export function namedSteps({ steps }: UndoPlan): readonly UndoStep[] {
  const parents = new Set<string>()
  for (const { path } of steps)
    for (let up = dirname(path); !parents.has(up) && up !== dirname(up); up = dirname(up)) parents.add(up)
  return steps.filter(({ path, type }) => type !== 'folder' || !parents.has(path))
}

/** A path below the workspace is named from there. */
export function pathFrom(workspace: string, path: string): string {
  return path.startsWith(`${workspace}/`) ? path.slice(workspace.length + 1) : path
}

type Drawn = { readonly diff: { readonly path: string; readonly [name: string]: Json } }

/**
 * What an undo brings back, as a diff for each file. SECURITY: the text of a copy is only shown with its secrets
 * masked, and there is no way to reveal them: the file comes back as it was.
 */
export async function undoPreview(plan: UndoPlan, home: Home, workspace: string): Promise<Json> {
  const steps = namedSteps(plan)
  let left = MOST_BYTES_IN_ALL
  const parts: Json[] = []
  const copies = openCopies(home)
  for (const step of steps.slice(0, MOST_SHOWN)) {
    const { part, bytes } = drawnStep(step, pathFrom(workspace, step.path), copies, Math.min(left, MOST_BYTES))
    left -= bytes
    parts.push(part)
  }
  const more = steps.slice(MOST_SHOWN)
  if (more.length > 0)
    parts.push({
      text: [`${countWords(more.length, 'more change')}:`, ...more.map((step) => shortWords(step, workspace))].join(
        '\n',
      ),
    })
  return parts
}

const CHANGE = { change: 'overwrite', 'bring-back': 'create', remove: 'delete' } as const
const SINCE = {
  same: null,
  changed: 'it was changed since; undo overwrites the change',
  unknown: 'it may have been changed since; undo overwrites any change',
} as const

function drawnStep(
  step: UndoStep,
  name: string,
  copies: Copies,
  most: number,
): { readonly part: Drawn; readonly bytes: number } {
  const { path, does, type, since } = step
  const part = (before: string, after: string, note: string | null): Drawn => {
    const notes = [SINCE[since], note].filter((one) => one !== null).join('; ')
    return { diff: { path: name, change: CHANGE[does], before, after, ...(notes === '' ? {} : { note: notes }) } }
  }
  if (type !== 'file') return { part: part('', '', `a ${type}`), bytes: 0 }
  const copy = copies(step)
  const texts = [does === 'bring-back' ? '' : textNow(path, most), does === 'remove' ? '' : textOfCopy(copy, most)]
  const [before, after] = texts
  if (before === undefined || after === undefined) {
    const size = copy === null ? '' : `: the copy has ${byteWords(copy.size)}`
    return { part: part('', '', `it is not text, or too large to compare${size}`), bytes: 0 }
  }
  const masked = [before, after].map((text) => ({ text, ...maskText(text, 'any') }))
  const isMasked = masked.some(({ secrets }) => secrets > 0)
  const [old = '', next = ''] = comparableMasks(masked.map(({ text, value }) => ({ text, masked: value })))
  const note = before === after ? 'only its mode differs' : isMasked ? 'secrets are masked here' : null
  return { part: part(old, next, note), bytes: before.length + after.length }
}

interface CopyOfFile {
  readonly path: string
  readonly size: number
  readonly sha256: string
}

/** The files of a plan as the undo leaves them. */
export function restoredFiles({ steps }: UndoPlan, home: Home): readonly RestoredFile[] {
  const copies = openCopies(home)
  return steps.flatMap((step) => {
    if (step.type !== 'file') return []
    const content = step.does === 'remove' ? 'absent' : copies(step)?.sha256
    return content === undefined ? [] : [{ path: step.path, content }]
  })
}

type Copies = (step: UndoStep) => CopyOfFile | null

/** The copies of files, each manifest read once. */
function openCopies(home: Home): Copies {
  const manifests = new Map<string, ReadonlyMap<string, KeptEntry>>()
  return ({ path, from }) => {
    if (from === null) return null
    const folder = join(home.backups, basename(from))
    const known = manifests.get(from) ?? new Map(readManifest(folder).entries.map((entry) => [entry.path, entry]))
    manifests.set(from, known)
    const entry = known.get(path)
    if (entry?.copy === undefined) return null
    return { path: join(folder, basename(entry.copy)), size: entry.size ?? 0, sha256: entry.sha256 ?? '' }
  }
}

function textOfCopy(copy: CopyOfFile | null, most: number): string | undefined {
  if (copy === null || copy.size > most) return undefined
  return textOf(readFileSync(copy.path))
}

/** The text of a file that is no link and no pipe, and is what was compared. */
function textNow(path: string, most: number): string | undefined {
  const entry = treeEntry(path)
  if (entry === null || entry.type !== 'file' || entry.stats.size > BigInt(most)) return undefined
  const body = openBody(path, entry.stats)
  if (typeof body === 'string') return undefined
  try {
    const bytes = Buffer.alloc(Math.min(most, fstatSync(body.fd).size))
    return textOf(bytes.subarray(0, readSync(body.fd, bytes, 0, bytes.length, 0)))
  } finally {
    closeSync(body.fd)
  }
}

function textOf(bytes: Buffer): string | undefined {
  return isUtf8(bytes) && !bytes.includes(0) ? bytes.toString('utf8') : undefined
}

function shortWords({ path, does }: UndoStep, workspace: string): string {
  return `${does === 'remove' ? 'remove' : 'restore'} ${pathFrom(workspace, path)}`
}
