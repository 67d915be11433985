import { isPatch } from '../../call/arguments/patch-paths.ts'
import type { FrozenCall } from '../../call/call.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { CONTENT, ENCODED } from '../edits/content-arguments.ts'
import { EDIT_PATHS, editedList } from '../edits/file-edits.ts'
import { isCellEdit, SOURCES } from '../edits/notebook-cell.ts'
import { patchName } from '../edits/patch-parser.ts'
import { searchBlocks } from '../edits/replace-blocks.ts'
import { ALL, EDITS, INSERTS, listOf, NEW, OLD } from '../edits/text-change.ts'

/** Members of an edit or file entry that the preview shows completely. */
const ENTRY: ReadonlySet<string> = new Set([...EDIT_PATHS, ...OLD, ...NEW, ...CONTENT, ...ALL, 'expected_replacements'])

/**
 * The names of the arguments that the preview of one changed file shows, its path among them.
 * INVARIANT: L5, every other argument is shown next to the preview, whatever its name.
 */
export function drawnFrom(call: FrozenCall, path: string): readonly string[] {
  return [...drawnPath(call, path), ...textNames(call.args)]
}

/** The name of the argument that holds a path. */
export function drawnPath({ args }: FrozenCall, path: string): readonly string[] {
  return Object.keys(args)
    .filter((name) => args[name] === path)
    .slice(0, 1)
}

/** The name of the list that a preview of several files shows; none when an entry has more than it shows. */
export function drawnList(call: FrozenCall): readonly string[] {
  const name = editedList(call)
  return name !== undefined && isPlainList(call.args[name]) ? [name] : []
}

/** The name of the patch argument that a preview shows. */
export function drawnPatch(call: FrozenCall): readonly string[] {
  const name = patchName(call)
  return name === undefined ? [] : [name]
}

/** In the order in which the new text is computed: the first argument that has it counts. */
function textNames(args: JsonObject): readonly string[] {
  if (isCellEdit(args)) return firstText(args, SOURCES)
  const list = EDITS.find((name) => listOf(args, [name]) !== undefined)
  if (list !== undefined) return isPlainList(args[list]) ? [list] : []
  const old = firstText(args, OLD)
  if (old.length > 0) return [...old, ...firstText(args, NEW)]
  if (args['insert_line'] !== undefined || args['insertLine'] !== undefined) return firstText(args, INSERTS)
  const content = firstText(args, [...ENCODED, ...CONTENT])
  if (content.length > 0) return content
  const patch = Object.keys(args).find((name) => isPatchLike(args[name]))
  return patch === undefined ? [] : [patch]
}

function firstText(args: JsonObject, names: readonly string[]): readonly string[] {
  return names.filter((name) => typeof args[name] === 'string').slice(0, 1)
}

function isPlainList(value: Json | undefined): boolean {
  if (typeof value !== 'object' || value === null) return false
  // An object from path to content has no other members.
  if (!Array.isArray(value)) return Object.values(value).every((one) => typeof one === 'string')
  return value.every(
    (one: Json) => typeof one === 'object' && one !== null && Object.keys(one).every((name) => ENTRY.has(name)),
  )
}

function isPatchLike(value: Json | undefined): boolean {
  return typeof value === 'string' && (isPatch(value) || searchBlocks(value) !== undefined)
}
