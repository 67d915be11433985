import { readdir } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Json, JsonObject } from '@countersign/core'
import { diffLines } from 'diff'
import { onFile, toolFailure } from '../tools/definition/tool-failure.ts'
import { shownPath, toolEntry, toolPath } from '../tools/definition/tool-path.ts'
import { patchedFiles } from '../tools/files/apply-diff.ts'
import { entryOf } from '../tools/files/atomic-write.ts'
import { moveEnds } from '../tools/files/move-file.ts'
import { readText } from '../tools/files/text-file.ts'
import { editedText } from '../tools/files/write-file.ts'

/** The changes of one call of a built-in tool, measured in advance. */
export interface Change {
  /** Each changed file and created folder, with lines and bytes added and removed. */
  readonly files: readonly ChangedFile[]
  /** Every touched path, including those that do not count: the source of a move, a created folder. */
  readonly touched: readonly string[]
}

interface ChangedFile {
  readonly path: string
  readonly lines: number
  readonly bytes: number
}

const NOTHING: Change = { files: [], touched: [] }
const MAX_FILES = 10_000
/** Beyond this many edits all lines count. */
const MAX_EDITS = 2_000

type Measure = (args: JsonObject, workspace: string) => Promise<Change>

/** The tools whose changes can be measured; no other may change files. The tool itself refuses invalid arguments. */
const MEASURES: ReadonlyMap<string, Measure> = new Map<string, Measure>([
  [
    'write_file',
    async ({ path, content }, workspace) =>
      isText(path) && isText(content) ? written(path, content, workspace) : NOTHING,
  ],
  [
    'edit_file',
    async ({ path, old_string: old, new_string: now, replace_all: all }, workspace) =>
      isText(path) && isText(old) && isText(now) ? edited(path, { old, now, all: all === true }, workspace) : NOTHING,
  ],
  ['apply_diff', async ({ patch }, workspace) => (isText(patch) ? patched(patch, workspace) : NOTHING)],
  ['delete_file', async ({ path }, workspace) => (isText(path) ? deleted(path, workspace) : NOTHING)],
  [
    'move_file',
    async ({ source, destination }, workspace) =>
      isText(source) && isText(destination) ? moved(source, destination, workspace) : NOTHING,
  ],
  ['create_directory', async ({ path }, workspace) => (isText(path) ? made(toolPath(path, { workspace })) : NOTHING)],
])

function isText(value: Json | undefined): value is string {
  return typeof value === 'string'
}

/** Whether a built-in tool’s changes can be measured. */
export function isMeasured(tool: string): boolean {
  return MEASURES.has(tool)
}

/** Measures a call without changing anything. Throws where the tool would fail. */
export async function measureChange(tool: string, args: JsonObject, workspace: string): Promise<Change> {
  return (await MEASURES.get(tool)?.(args, workspace)) ?? NOTHING
}

async function written(path: string, content: string, workspace: string): Promise<Change> {
  const real = toolPath(path, { workspace })
  const before = await currentText(real, workspace)
  const change = oneFile(real, before, content)
  if (before !== null) return change
  const lost = (await removed(real, workspace)).bytes
  return { ...change, files: change.files.map((file) => ({ ...file, bytes: file.bytes + lost })) }
}

async function edited(path: string, edit: Parameters<typeof editedText>[1], workspace: string): Promise<Change> {
  const real = toolPath(path, { workspace })
  const before = await currentText(real, workspace)
  const { text } = editedText(before ?? '', edit, shownPath(real, workspace))
  return oneFile(real, before, text)
}

async function patched(patch: string, workspace: string): Promise<Change> {
  const files = await patchedFiles(patch, { workspace })
  const counted = await Promise.all(
    files.map(async ({ real, text, before }) => ({
      path: real,
      ...difference(before === null ? null : await currentText(real, workspace), text ?? ''),
    })),
  )
  return { files: counted, touched: counted.map(({ path }) => path) }
}

async function deleted(path: string, workspace: string): Promise<Change> {
  const entry = toolEntry(path, { workspace })
  const below = await filesBelow(entry)
  const files = await Promise.all(below.map((path) => removed(path, workspace)))
  return { files, touched: [entry, ...below] }
}

/** Moved lines do not count; those of a replaced file do. */
async function moved(source: string, destination: string, workspace: string): Promise<Change> {
  const { from, to } = await moveEnds(source, destination, { workspace })
  const below = await filesBelow(from)
  const ends = below.map((path) => (path === from ? to : join(to, relative(from, path))))
  const files = await Promise.all(ends.map((path) => removed(path, workspace)))
  return { files, touched: [from, to, ...below, ...ends] }
}

/** Every missing folder on the path. */
async function made(folder: string): Promise<Change> {
  const missing: string[] = []
  for (let at = folder; (await entryOf(at)) === null && at !== dirname(at); at = dirname(at)) missing.unshift(at)
  return { files: missing.map((path) => ({ path, lines: 0, bytes: 0 })), touched: [folder] }
}

/** The lines and bytes of a file; 0 when it does not exist. */
async function removed(path: string, workspace: string): Promise<ChangedFile> {
  const text = await currentText(path, workspace)
  if (text !== null) return { path, lines: lineCount(text), bytes: Buffer.byteLength(text) }
  const found = await entryOf(path)
  return { path, lines: 0, bytes: found?.isFile() === true ? found.size : 0 }
}

/** Writing identical content is not a change. */
function oneFile(path: string, before: string | null, after: string): Change {
  return { files: before === after ? [] : [{ path, ...difference(before, after) }], touched: [path] }
}

/** Null when there is no text: no file, a link, binary data. */
async function currentText(real: string, workspace: string): Promise<string | null> {
  const shown = shownPath(real, workspace)
  if ((await onFile(shown, () => entryOf(real)))?.isFile() !== true) return null
  const file = await onFile(shown, () => readText(real, shown))
  return file.kind === 'text' ? file.text : null
}

/** INVARIANT: L10, an incomplete count never counts as less. */
async function filesBelow(entry: string): Promise<readonly string[]> {
  const found = await entryOf(entry)
  if (found === null) return []
  if (!found.isDirectory()) return [entry]
  const files: string[] = []
  const waiting = [entry]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const one of await readdir(folder, { withFileTypes: true })) {
      if (one.isDirectory()) waiting.push(join(folder, one.name))
      else files.push(join(folder, one.name))
      if (files.length + waiting.length > MAX_FILES)
        throw toolFailure(`it contains more than ${MAX_FILES} files; choose a smaller folder`)
    }
  }
  // An empty folder counts, too.
  return files.length === 0 ? [entry] : files
}

function difference(old: string | null, after: string): Pick<ChangedFile, 'lines' | 'bytes'> {
  const before = old ?? ''
  const parts = diffLines(before, after, { maxEditLength: MAX_EDITS })
  const changed = parts?.filter((part) => part.added || part.removed).map(({ value }) => value) ?? [before, after]
  return {
    lines: changed.reduce((sum, text) => sum + lineCount(text), 0),
    bytes: changed.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  }
}

function lineCount(text: string | null): number {
  if (text === null || text === '') return 0
  return text.split(/\r\n|\r|\n/).length - (/[\r\n]$/.test(text) ? 1 : 0)
}
