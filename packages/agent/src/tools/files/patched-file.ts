import type { Stats } from 'node:fs'
import type { PatchPiece } from '@countersign/core'
import { applyPatch, parsePatch, type StructuredPatch } from 'diff'
import { onFile, toolFailure } from '../definition/tool-failure.ts'
import { shownPath, type ToolPlace, toolPath } from '../definition/tool-path.ts'
import { entryOf } from './atomic-write.ts'
import { readText, refuseLarge } from './text-file.ts'

/** One file as a patch leaves it. */
export interface PatchedFile {
  readonly real: string
  readonly shown: string
  /** Null when it is deleted. */
  readonly text: string | null
  /** The current file; null when it is new. */
  readonly before: Stats | null
}

/** Header lines that request more than a change of text. */
const MORE =
  /^(?:old mode|new mode|rename (?:from|to)|copy (?:from|to)|GIT binary patch|Binary files|new file mode (?!100644))/m
/** Patch lines times file lines: beyond this, matching takes too long. */
const MAX_COMPARISONS = 50_000_000

/** Applies one file of a patch strictly, without writing: anything that does not match exactly is refused. */
export async function patchedFile(piece: PatchPiece, place: ToolPlace): Promise<PatchedFile> {
  const real = toolPath(piece.path, place)
  const shown = shownPath(real, place.workspace)
  const more = MORE.exec(headOf(piece.patch))
  if (more !== null || piece.from !== undefined)
    throw toolFailure(
      `the patch of \`${shown}\` asks for \`${more?.[0] ?? piece.change}\`; only lines of text can be changed`,
    )
  const before = await onFile(shown, () => entryOf(real))
  const isNew = /^--- \/dev\/null/m.test(headOf(piece.patch))
  if (isNew && before !== null) throw toolFailure(`\`${shown}\` already exists; include its old lines in the patch`)
  if (!isNew && before === null) throw toolFailure(`\`${shown}\` does not exist; read the folder first`)
  const current = before === null ? '' : await textOf(real, shown)
  const text = fitted(parsed(piece.patch, shown), current, shown)
  refuseLarge(Buffer.byteLength(text), shown)
  if (piece.change !== 'delete') return { real, shown, text, before }
  if (text !== '') throw toolFailure(`the patch deletes \`${shown}\` but leaves lines of it; use delete_file`)
  return { real, shown, text: null, before }
}

function headOf(patch: string): string {
  const at = patch.search(/^@@/m)
  return at === -1 ? patch : patch.slice(0, at)
}

async function textOf(real: string, shown: string): Promise<string> {
  const file = await onFile(shown, () => readText(real, shown))
  if (file.kind === 'binary') throw toolFailure(`\`${shown}\` is a binary file; only text can be patched`)
  return file.text
}

function parsed(patch: string, shown: string): StructuredPatch {
  try {
    const [file, ...others] = parsePatch(patch)
    if (file !== undefined && others.length === 0 && file.hunks.length > 0) return file
  } catch {
    // The library throws on wrong counts; reported below like any malformed patch.
  }
  throw toolFailure(`the patch of \`${shown}\` is malformed; check the counts in its \`@@\` lines`)
}

function fitted(patch: StructuredPatch, current: string, shown: string): string {
  const lines = patch.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
  if (lines * current.split('\n').length > MAX_COMPARISONS)
    throw toolFailure(`the patch of \`${shown}\` is too large to fit; use write_file`)
  const text = applyPatch(current, patch, { fuzzFactor: 0 })
  if (text === false) throw toolFailure(`the patch does not fit \`${shown}\` as it is now; read it again`)
  return text
}
