import { sep } from 'node:path'
import { type PatchPiece, patchPieces, patchSummary, sizeWords } from '@countersign/core'
import * as z from 'zod'
import { defineTool } from '../definition/define-tool.ts'
import { toolFailure } from '../definition/tool-failure.ts'
import type { ToolPlace } from '../definition/tool-path.ts'
import { replaceFiles } from './file-transaction.ts'
import { type PatchedFile, patchedFile } from './patched-file.ts'

const MAX_FILES = 100
/** Of all files together: they are written beside the old ones first. */
const MAX_TOTAL = 64 * 1024 * 1024

/** `apply_diff`: a unified patch of one or more files, all or nothing. */
export const applyDiffTool = defineTool({
  name: 'apply_diff',
  description:
    'Applies a unified diff (`--- a/path`, `+++ b/path`, `@@` hunks) to one or several files. Context lines must match exactly. Use /dev/null to create or delete a file.',
  input: z.strictObject({ patch: z.string().min(1).describe('The diff, with its headers.') }),
  async run({ patch }, run) {
    // Nothing is written unless every piece fits.
    const files = await patchedFiles(patch, run)
    await replaceFiles(files)
    return files.map(({ shown, text, before }) => `${verbOf(text, before)} \`${shown}\``).join('\n')
  },
})

/** Every file as the patch leaves it; throws when any piece does not fit. */
export async function patchedFiles(patch: string, place: ToolPlace): Promise<readonly PatchedFile[]> {
  const files: PatchedFile[] = []
  let bytes = 0
  for (const piece of judgedPieces(patch)) {
    const file = await patchedFile(piece, place)
    bytes += file.text?.length ?? 0
    if (bytes > MAX_TOTAL)
      throw toolFailure(`the patched files have more than ${sizeWords(MAX_TOTAL)} together; apply it in several parts`)
    files.push(file)
  }
  const twice = files.find(({ real }, at) => files.some((other, place) => place < at && other.real === real))
  if (twice !== undefined) throw toolFailure(`the patch has \`${twice.shown}\` twice; write one section for each file`)
  const inside = files.find(({ real }) => files.some((other) => real.startsWith(`${other.real}${sep}`)))
  if (inside !== undefined)
    throw toolFailure(
      `the patch has \`${inside.shown}\` inside another of its files; a path can’t be both a file and a folder`,
    )
  return files
}

function verbOf(text: string | null, before: unknown): string {
  return text === null ? 'deleted' : before === null ? 'created' : 'patched'
}

/** SECURITY: A8 only files by which the call was judged; an ambiguous patch is refused. */
function judgedPieces(patch: string): readonly PatchPiece[] {
  const pieces = patchPieces(patch)
  if (/^\*\*\* (?:Begin Patch|(?:Add|Update|Delete) File: )/m.test(patch) || pieces.length === 0)
    throw toolFailure('this is not a unified diff; write `--- a/path`, `+++ b/path` and `@@` hunks')
  if (pieces.length > MAX_FILES) throw toolFailure(`the patch has ${pieces.length} files; at most ${MAX_FILES} at once`)
  const judged = patchSummary(patch).paths
  const other = pieces.find(({ path }) => !judged.includes(path))
  if (other !== undefined) throw toolFailure(`the header of \`${other.path}\` is ambiguous; simplify it`)
  return pieces
}
