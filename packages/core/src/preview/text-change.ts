import { applyPatch, parsePatch } from 'diff'
import { isArray } from '../call/canonical.ts'
import type { JsonObject } from '../call/json.ts'
import { isPatch } from '../call/patch-paths.ts'
import { findSequence } from './find-sequence.ts'
import { applyBlocks, isMarked, markedBlocks, markedNewFile, searchBlocks } from './replace-blocks.ts'

/** What a write or an edit would make of a file's text. */
export type TextChange =
  | { readonly kind: 'text'; readonly text: string; readonly notes: readonly string[] }
  /** The tool would refuse, as far as we can tell. */
  | { readonly kind: 'fails'; readonly note: string }
  /** Not a change we can work out: the arguments are shown instead. */
  | { readonly kind: 'unknown' }

const UNKNOWN: TextChange = { kind: 'unknown' }

const CONTENT = ['content', 'contents', 'file_text', 'fileText', 'text', 'new_content', 'newContent']
const OLD = ['old_string', 'oldString', 'old_str', 'oldText', 'old_text']
const NEW = ['new_string', 'newString', 'new_str', 'newText', 'new_text']
const EDITS = ['edits', 'replacements']
const ALL = ['replace_all', 'replaceAll', 'allow_multiple']
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
  'cell_id',
  'insert_line',
  'insertLine',
]

/** SECURITY: A31, what would take long to work out, or grow past this, is shown as arguments instead. */
const MAX_RESULT = 4 * 1024 * 1024
const MAX_STEPS = 200
const MAX_COMPARISONS = 50_000_000

/** Works out the new text from the arguments alone; `current` is undefined when there is no such file. */
export function changeText(args: JsonObject, current: string | undefined): TextChange {
  const edits = listOf(args, EDITS)
  const old = textOf(args, OLD)
  const content = textOf(args, CONTENT)
  if (edits !== undefined) return old === undefined && content === undefined ? applyEdits(edits, current) : UNKNOWN
  if (old !== undefined) return content === undefined ? applyEdits([args], current) : UNKNOWN
  if (PARTIAL.some((name) => args[name] !== undefined)) return UNKNOWN
  if (content !== undefined)
    return { kind: 'text', text: isAppend(args) ? (current ?? '') + content : content, notes: [] }
  const patch = Object.values(args).find(
    (value) => typeof value === 'string' && (isPatch(value) || searchBlocks(value) !== undefined),
  )
  return typeof patch === 'string' ? applyText(patch, current) : UNKNOWN
}

/** Whether the content goes behind what is there. */
export function isAppend(args: JsonObject): boolean {
  const mode = args['mode']
  return args['append'] === true || mode === 'append' || mode === 'a'
}

function applyEdits(edits: readonly JsonObject[], current: string | undefined): TextChange {
  if (edits.length > MAX_STEPS) return UNKNOWN
  let text = current
  const notes: string[] = []
  for (const [index, edit] of edits.entries()) {
    const which = edits.length === 1 ? 'the edit' : `edit ${index + 1}`
    const old = textOf(edit, OLD)
    const now = textOf(edit, NEW)
    if (old === undefined || now === undefined) return UNKNOWN
    if (old === '') {
      if (text !== undefined && text !== '')
        return { kind: 'fails', note: `${which} would fail: it names no text to replace and the file is not empty` }
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
        `the old text of ${which} occurs ${count} times: most tools refuse that, the change is shown at the first place`,
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
  const files = parsePatch(patch)
  const [file] = files
  if (file === undefined || files.length !== 1) return UNKNOWN
  const result = applyPatch(current ?? '', file)
  return patched(result === false ? undefined : result)
}

function lineCount(text: string): number {
  return text.split('\n').length
}

function patched(text: string | undefined): TextChange {
  if (text === undefined) return { kind: 'fails', note: 'the patch would fail: it does not fit the file as it is now' }
  return { kind: 'text', text, notes: [] }
}

function textOf(args: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = args[name]
    if (typeof value === 'string') return value
  }
  return undefined
}

function listOf(args: JsonObject, names: readonly string[]): readonly JsonObject[] | undefined {
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
