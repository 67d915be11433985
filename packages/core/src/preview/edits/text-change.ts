import { applyPatch, parsePatch } from 'diff'
import { isPatch } from '../../call/arguments/patch-paths.ts'
import { isArray } from '../../call/json/canonical.ts'
import type { JsonObject } from '../../call/json/json.ts'
import { CONTENT, type NewContent, newContent, textOf } from './content-arguments.ts'
import { changeCell, isCellEdit } from './notebook-cell.ts'
import { applyBlocks, isMarked, markedBlocks, markedNewFile, searchBlocks } from './replace-blocks.ts'
import { findSequence } from './sequence-search.ts'

/** What a write or an edit would make of a file's text. */
export type TextChange =
  | { readonly kind: 'text'; readonly text: string; readonly notes: readonly string[] }
  /** Part of a file whose whole is of no use to a reader: a cell of a notebook. */
  | { readonly kind: 'part'; readonly before: string; readonly after: string; readonly notes: readonly string[] }
  /** Content that is no text. */
  | { readonly kind: 'bytes'; readonly bytes: number; readonly notes: readonly string[] }
  /** The tool would refuse, as far as we can tell. */
  | { readonly kind: 'fails'; readonly note: string }
  /** Not a change we can work out: the arguments are shown instead. */
  | { readonly kind: 'unknown' }

const UNKNOWN: TextChange = { kind: 'unknown' }

/** Arguments of an edit: what is replaced, by what, a list of edits, and whether it is replaced everywhere. */
export const OLD = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text']
export const NEW = ['new_string', 'newString', 'new_str', 'newText', 'new_text']
export const EDITS = ['edits', 'replacements']
export const ALL = ['replace_all', 'replaceAll', 'allow_multiple']
/** Arguments that hold lines to put in. */
export const INSERTS = [...NEW, 'insert_text', 'insertText', ...CONTENT]
/** Arguments that make `content` only part of the file, in ways that differ from tool to tool. */
const PARTIAL = [
  'start_line',
  'end_line',
  'startLine',
  'endLine',
  'line',
  'offset',
  'position',
  'range',
  'insert_line',
  'insertLine',
]

/** SECURITY: A31, what would take long to work out, or grow past this, is shown as arguments instead. */
const MAX_RESULT = 4 * 1024 * 1024
const MAX_STEPS = 200
const MAX_COMPARISONS = 50_000_000

/** Works out the new text from the arguments alone; `current` is undefined when there is no such file. */
export function changeText(args: JsonObject, current: string | undefined): TextChange {
  if (isCellEdit(args)) return changedCell(args, current)
  const edits = listOf(args, EDITS)
  const { old } = editOf(args)
  const content = newContent(args)
  if (edits !== undefined) return old === undefined && content === undefined ? applyEdits(edits, current) : UNKNOWN
  if (old !== undefined) return content === undefined ? applyEdits([args], current) : UNKNOWN
  const inserted = insertedText(args, current)
  if (inserted !== undefined) return inserted
  if (PARTIAL.some((name) => args[name] !== undefined)) return UNKNOWN
  if (content !== undefined) return isAppend(args) ? appended(content, current) : content
  const patch = Object.values(args).find(
    (value) => typeof value === 'string' && (isPatch(value) || searchBlocks(value) !== undefined),
  )
  return typeof patch === 'string' ? applyText(patch, current) : UNKNOWN
}

/** Whether the arguments hold the whole new content, whatever the file holds now. */
export function isWholeText(args: JsonObject): boolean {
  const { kind } = changeText(args, undefined)
  return (kind === 'text' || kind === 'bytes') && newContent(args) !== undefined && !isAppend(args)
}

/** The two texts of an edit, as far as the arguments name them. */
export function editOf(args: JsonObject): { readonly old: string | undefined; readonly now: string | undefined } {
  return { old: textOf(args, OLD), now: textOf(args, NEW) }
}

/** Whether the content goes behind what is there. */
export function isAppend(args: JsonObject): boolean {
  const mode = args['mode']
  return args['append'] === true || mode === 'append' || mode === 'a'
}

function appended(content: NewContent, current: string | undefined): TextChange {
  return content.kind === 'text' ? { ...content, text: (current ?? '') + content.text } : UNKNOWN
}

function changedCell(args: JsonObject, current: string | undefined): TextChange {
  if (current === undefined) return { kind: 'fails', note: 'the edit would fail: the notebook does not exist' }
  const change = changeCell(args, current)
  if (change === undefined) return UNKNOWN
  return 'fails' in change ? { kind: 'fails', note: change.fails } : { kind: 'part', ...change }
}

/** Lines put in after a line, as the editor tools of models have it; 0 is the beginning. */
function insertedText(args: JsonObject, current: string | undefined): TextChange | undefined {
  const line = args['insert_line'] ?? args['insertLine']
  const text = textOf(args, INSERTS)
  if (typeof line !== 'number' || text === undefined || current === undefined) return undefined
  const lines = current.split('\n')
  const last = current.endsWith('\n') ? lines.length - 1 : lines.length
  if (!Number.isInteger(line) || line < 0 || line > last)
    return { kind: 'fails', note: `the insert would fail: the file has no line ${line}` }
  const put = text.endsWith('\n') ? text.slice(0, -1) : text
  return { kind: 'text', text: [...lines.slice(0, line), put, ...lines.slice(line)].join('\n'), notes: [] }
}

function applyEdits(edits: readonly JsonObject[], current: string | undefined): TextChange {
  if (edits.length > MAX_STEPS) return UNKNOWN
  let text = current
  const notes: string[] = []
  for (const [index, edit] of edits.entries()) {
    const which = edits.length === 1 ? 'the edit' : `edit ${index + 1}`
    const { old, now } = editOf(edit)
    if (old === undefined || now === undefined) return UNKNOWN
    if (old === '') {
      if (text !== undefined && text !== '')
        return { kind: 'fails', note: `${which} would fail: it has no text to replace and the file is not empty` }
      text = now
      continue
    }
    if (text === undefined) return { kind: 'fails', note: `${which} would fail: the file does not exist` }
    const places = findSequence(text, old)
    const count = places.length
    if (count === 0) return { kind: 'fails', note: `${which} would fail: its old text is not in the file` }
    const all = count === 1 || edit['expected_replacements'] === count || ALL.some((name) => edit[name] === true)
    if (!all)
      notes.push(
        `the old text of ${which} occurs ${count} times: most tools refuse that; the change is shown at the first match`,
      )
    const chosen = all ? places : places.slice(0, 1)
    if (text.length + chosen.length * (now.length - old.length) > MAX_RESULT) return UNKNOWN
    text = replaceAt(text, chosen, old.length, now)
  }
  return text === undefined ? UNKNOWN : { kind: 'text', text, notes }
}

function replaceAt(text: string, places: readonly number[], length: number, now: string): string {
  const pieces: string[] = []
  let from = 0
  for (const place of places) {
    pieces.push(text.slice(from, place), now)
    from = place + length
  }
  return pieces.join('') + text.slice(from)
}

function applyText(patch: string, current: string | undefined): TextChange {
  const newFile = markedNewFile(patch)
  if (newFile !== undefined) return { kind: 'text', text: newFile, notes: [] }
  const blocks = markedBlocks(patch) ?? searchBlocks(patch)
  if (blocks !== undefined) return blocks.length > MAX_STEPS ? UNKNOWN : patched(applyBlocks(current ?? '', blocks))
  if (isMarked(patch) || lineCount(patch) * lineCount(current ?? '') > MAX_COMPARISONS) return UNKNOWN
  try {
    const files = parsePatch(patch)
    const [file] = files
    if (file === undefined || files.length !== 1) return UNKNOWN
    const result = applyPatch(current ?? '', file)
    return patched(result === false ? undefined : result)
  } catch {
    // The library throws on an invalid patch, such as one with wrong counts.
    return { kind: 'fails', note: 'the patch would fail: it is malformed' }
  }
}

function lineCount(text: string): number {
  return text.split('\n').length
}

function patched(text: string | undefined): TextChange {
  if (text === undefined) return { kind: 'fails', note: 'the patch would fail: it does not match the current file' }
  return { kind: 'text', text, notes: [] }
}

/** The first of some arguments that is a list of objects. */
export function listOf(args: JsonObject, names: readonly string[]): readonly JsonObject[] | undefined {
  for (const name of names) {
    const value = args[name]
    if (value === undefined || value === null || !isArray(value)) continue
    const items = value.filter(
      (item): item is JsonObject => typeof item === 'object' && item !== null && !isArray(item),
    )
    if (items.length === value.length && items.length > 0) return items
  }
  return undefined
}
