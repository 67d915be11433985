import type { FrozenCall } from '../../call/call.ts'
import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { textLines } from '../diff/hunks.ts'
import type { ChangedFile } from './changed-file.ts'
import { CONTENT, textOf } from './content-arguments.ts'
import { editOf } from './text-change.ts'

const LISTS = ['edits', 'replacements', 'files', 'changes', 'writes']
/** Arguments that name the file of one edit among several. */
export const EDIT_PATHS = ['path', 'file_path', 'filePath', 'file', 'filename', 'target_file']

/** Writes and edits of several files in one list, or in an object from path to content; undefined for any other shape. */
export function fileEdits(call: FrozenCall): readonly ChangedFile[] | undefined {
  return foundEdits(call)?.files
}

/** The argument that holds the list. */
export function editedList(call: FrozenCall): string | undefined {
  return foundEdits(call)?.name
}

function foundEdits({ args, descriptor }: FrozenCall): { name: string; files: readonly ChangedFile[] } | undefined {
  for (const name of LISTS) {
    const value = args[name]
    if (typeof value !== 'object' || value === null) continue
    const items = isArray(value) ? value : Object.entries(value).map(([path, content]): Json => ({ path, content }))
    const files = grouped(items, pathOf(args))
    if (files === undefined) continue
    const isAll = files.every(({ path }) => descriptor.paths?.includes(path))
    if (isAll && files.length > 1) return { name, files }
  }
  return undefined
}

/** By file, in order: several edits of one file are applied one after the other. */
function grouped(items: readonly Json[], otherwise: string | undefined): readonly ChangedFile[] | undefined {
  const files = new Map<string, JsonObject[]>()
  for (const item of items) {
    if (typeof item !== 'object' || item === null || isArray(item)) return undefined
    const path = pathOf(item) ?? otherwise
    if (path === undefined) return undefined
    files.set(path, [...(files.get(path) ?? []), item])
  }
  return [...files].map(([path, edits]): ChangedFile => {
    const [first] = edits
    const args = edits.length === 1 && first !== undefined ? first : { edits }
    return { path, change: 'edit', args, hasLines: true, ...counts(edits) }
  })
}

function counts(edits: readonly JsonObject[]): Pick<ChangedFile, 'added' | 'removed'> {
  let added = 0
  let removed = 0
  for (const edit of edits) {
    const { old, now } = editOf(edit)
    added += textLines(now ?? textOf(edit, CONTENT) ?? '').length
    removed += textLines(old ?? '').length
  }
  return { added, removed }
}

function pathOf(item: JsonObject): string | undefined {
  for (const name of EDIT_PATHS) {
    const value = item[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}
