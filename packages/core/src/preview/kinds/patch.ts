import type { FrozenCall } from '../../call/call.ts'
import type { Targets } from '../../ports/targets.ts'
import { type ChangedFile, diffFile } from '../edits/changed-file.ts'
import { type PatchPiece, patchOf, touchedBy } from '../edits/patch-parser.ts'
import { type DiffPreview, guessNotes, type Preview } from '../model/preview.ts'
import { countedWords } from '../targets/target-lookup.ts'

/** Files compared line by line; the rest are listed with their counts. */
const COMPARED = 40
const LISTED = 1000
/** Lines of all files together that are shown. */
const LINES = 4000

/** A patch file by file; undefined when the call's paths are not those of a patch. */
export async function patchPreview(call: FrozenCall, targets: Targets): Promise<Preview | undefined> {
  const pieces = patchOf(call)
  const paths = call.descriptor.paths ?? []
  const touched = pieces.flatMap(touchedBy)
  if (pieces.length === 0) return undefined
  const others = paths.filter((path) => !touched.includes(path) && !touched.some((one) => path.endsWith(`/${one}`)))
  const also =
    others.length === 0
      ? []
      : [
          `the arguments also name ${others
            .slice(0, 5)
            .map((path) => `\`${path}\``)
            .join(', ')}`,
        ]
  return filesPreview(call, pieces.map(toFile), also, targets)
}

/** The changes of several files: every file is named, the first are shown line by line. */
export async function filesPreview(
  call: FrozenCall,
  files: readonly ChangedFile[],
  said: readonly string[],
  targets: Targets,
): Promise<Preview> {
  const notes = [...guessNotes(call), ...said]
  const changes: DiffPreview[] = []
  let lines = 0
  for (const file of files.slice(0, LISTED)) {
    const shown = changes.length < COMPARED && lines < LINES
    const change = shown ? await diffFile(file, call.cwd, targets) : countedOnly(file)
    lines += change.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0)
    changes.push(change)
  }
  const [only] = changes
  if (only !== undefined && files.length === 1) return { ...only, notes: [...notes, ...only.notes] }
  if (files.length > LISTED)
    notes.push(`${countedWords(files.length - LISTED, 'more file')} not listed; see the arguments`)
  return { kind: 'files', changes, notes }
}

function countedOnly({ path, from, change, added, removed }: ChangedFile): DiffPreview {
  return {
    kind: 'diff',
    path,
    ...(from === undefined ? {} : { from }),
    change: change === 'edit' ? 'overwrite' : change,
    hunks: [],
    added,
    removed,
    folded: added + removed,
    notes: ['only counted; see the arguments for its lines'],
  }
}

function toFile(piece: PatchPiece): ChangedFile {
  const { patch, ...file } = piece
  return { ...file, args: { patch } }
}
