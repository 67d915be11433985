import type { ClearedCall } from '../approval/outcome/permission.ts'
import type { RestoredFile } from '../call/call.ts'
import type { Ports } from '../ports/ports.ts'
import type { DiffHunk, DiffPreview, Preview } from '../preview/model/preview.ts'
import { isInside } from '../risk/path/category.ts'

const MOST_BYTES = 1024 * 1024

/**
 * Hashes of the contents that a person saw when they approved the call, by path in the workspace: only diffs that were
 * shown whole count, and only the content that they lead to. A last line may end with a line break or not.
 */
export async function shownContents(
  { judgement, held, verified }: ClearedCall,
  workspace: string,
  { targets, crypto, store, files }: Pick<Ports, 'targets' | 'crypto' | 'store' | 'files'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const shown = new Map<string, readonly string[]>()
  if (held === null || verified === null) return shown
  const { cwd } = judgement.call
  const { restores } = judgement.asked
  if (restores !== undefined) return restoredContents(held.preview, restores, workspace, { store, files })
  for (const diff of diffsOf(held.preview)) {
    try {
      const real = await targets.resolve(diff.path, cwd)
      if (diff.folded > 0 || !isInside(real, workspace)) continue
      const path = real.slice(workspace.length + 1)
      if (diff.change === 'delete') shown.set(path, ['absent'])
      else {
        const base = diff.change === 'create' ? '' : await targets.readText(diff.from ?? diff.path, cwd, MOST_BYTES)
        const text = base === undefined ? undefined : withHunks(base, diff.hunks)
        if (text !== undefined)
          shown.set(
            path,
            [`${text}\n`, text].map((one) => crypto.sha256(one)),
          )
      }
    } catch {
      // Then it counts as not shown.
    }
  }
  return shown
}

/**
 * What an undo puts back. Its diff has its secrets masked, so the contents are those that it was prepared with. Where it
 * changes a file that nobody had seen, the unchanged lines were not shown.
 */
async function restoredContents(
  preview: Preview,
  restores: readonly RestoredFile[],
  workspace: string,
  { store, files }: Pick<Ports, 'store' | 'files'>,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const parts = preview.kind === 'own' ? preview.parts : []
  const drawn = new Map(parts.flatMap((part) => (part.kind === 'diff' ? [[part.path, part] as const] : [])))
  const known = (await store.changes(workspace)).files
  const now = await files.states(workspace, known)
  const unseen = new Set(known.flatMap((row, at) => (now[at]?.content === row.seen ? [] : [row.path])))
  const shown = new Map<string, readonly string[]>()
  for (const { path: real, content } of restores) {
    if (!isInside(real, workspace)) continue
    const path = real.slice(workspace.length + 1)
    const diff = drawn.get(path)
    if (diff === undefined || diff.folded > 0 || diff.hunks.length === 0) continue
    if (diff.change === 'overwrite' && unseen.has(path)) continue
    shown.set(path, [content])
  }
  return shown
}

function diffsOf(preview: Preview): readonly DiffPreview[] {
  if (preview.kind === 'diff') return [preview]
  return preview.kind === 'files' ? preview.changes : []
}

/** The text after the hunks, without its last line break; undefined if they are about another text. */
function withHunks(base: string, hunks: readonly DiffHunk[]): string | undefined {
  const lines = base === '' ? [] : base.replace(/\n$/, '').split('\n')
  for (const { oldStart, lines: changes } of hunks.toReversed()) {
    const old = changes.filter(({ kind }) => kind !== 'added').map(({ text }) => text)
    const at = Math.max(0, oldStart - 1)
    if (old.some((line, offset) => lines[at + offset] !== line)) return undefined
    lines.splice(at, old.length, ...changes.filter(({ kind }) => kind !== 'removed').map(({ text }) => text))
  }
  return lines.join('\n')
}
