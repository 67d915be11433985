import type { FrozenCall } from '../call/call.ts'
import { freezeJson, MAX_ARGS_BYTES } from '../call/json/freeze.ts'
import type { Json, JsonObject } from '../call/json/json.ts'
import { CountersignError } from '../errors.ts'
import type { Targets } from '../ports/targets.ts'
import type { RiskReport } from '../risk/report/report.ts'
import { fileEdits } from './edits/file-edits.ts'
import { argumentsPreview, jsonPreview } from './kinds/arguments.ts'
import { commandPreview } from './kinds/command.ts'
import { deletePreview } from './kinds/delete.ts'
import { endsOf, movePreview } from './kinds/move.ts'
import { ownPreview } from './kinds/own.ts'
import { filesPreview, patchPreview } from './kinds/patch.ts'
import { httpPreview, queryPreview } from './kinds/remote.ts'
import { drawnFrom, drawnList, drawnPatch, drawnPath } from './kinds/shown-arguments.ts'
import { writePreview } from './kinds/write.ts'
import type { Preview } from './model/preview.ts'

/**
 * Shows what a call would do, from the frozen copy and the files as they are now. Never throws: a preview that fails is
 * itself shown, with the arguments, and the call stays held.
 */
export async function buildPreview(call: FrozenCall, risk: RiskReport, targets: Targets): Promise<Preview> {
  try {
    return await previewOf(call, risk, targets)
  } catch (error) {
    return failedPreview(call, error)
  }
}

/** A tool's own preview; surfaces show the arguments beside it. How long it may take is the caller's to bound. */
export async function customPreview(
  call: FrozenCall,
  make: (args: JsonObject) => Promise<Json> | Json,
): Promise<Preview> {
  try {
    return ownPreview(call, freezeJson(await make(call.args), { root: 'preview', maxBytes: MAX_ARGS_BYTES }))
  } catch (error) {
    return failedPreview(call, error)
  }
}

/** Says that there is no preview and why. INVARIANT: F1, an error here never lets a call pass. */
function failedPreview(call: FrozenCall, error: unknown): Preview {
  const message = error instanceof CountersignError ? error.message : `the preview failed: ${messageOf(error)}`
  return { kind: 'failed', error: message, value: call.args }
}

async function previewOf(call: FrozenCall, risk: RiskReport, targets: Targets): Promise<Preview> {
  const { command, paths = [], sql, url } = call.descriptor
  if (command !== undefined) return commandPreview(call, command, risk, targets)
  const files = paths.length > 0 && !isElsewhere(call) ? await filePreview(call, paths, targets) : undefined
  if (files !== undefined) return files
  if (sql !== undefined) return queryPreview(call, sql, risk)
  const request = url === undefined ? undefined : httpPreview(call, url)
  if (request !== undefined) return request
  return call.tool.server === null ? jsonPreview(call) : argumentsPreview(call)
}

/** What happens to the files a call names; undefined when it only reads them, or when that cannot be drawn. */
async function filePreview(call: FrozenCall, paths: readonly string[], targets: Targets): Promise<Preview | undefined> {
  const { kind } = call.descriptor
  if (kind !== 'write' && kind !== 'delete' && kind !== 'move') return undefined
  const patch = await patchPreview(call, targets)
  if (patch !== undefined) return drawnBy(patch, drawnPatch(call))
  const ends = endsOf(call)
  if (ends !== undefined) return movePreview(call, ends, targets)
  const [path] = paths
  if (kind === 'delete') return drawnBy(await deletePreview(call, paths, targets), drawnPath(call, path ?? ''))
  if (kind !== 'write' || path === undefined) return undefined
  if (paths.length === 1) return drawnBy(await writePreview(call, path, targets), drawnFrom(call, path))
  const edits = fileEdits(call)
  if (edits !== undefined) return drawnBy(await filesPreview(call, edits, [], targets), drawnList(call))
  return call.tool.server === null ? jsonPreview(call, [`touches ${paths.length} files: ${named(paths)}`]) : undefined
}

/** Says which arguments a picture of changed files is made of. */
function drawnBy(preview: Preview, drawn: readonly string[]): Preview {
  if (preview.kind === 'diff') return { ...preview, drawn: preview.drawn ?? drawn }
  // What one of them has not drawn stands in the same argument as the others.
  if (preview.kind !== 'files') return preview
  return { ...preview, drawn: preview.changes.some((one) => one.drawn !== undefined) ? [] : drawn }
}

/** Arguments of tools whose files are not on this machine: comparing with what is here would draw a false picture. */
const PLACES: ReadonlySet<string> = new Set(
  'owner repo repository branch bucket project_id projectId project_key site_id siteId host hostname account drive_id driveId container pod'.split(
    ' ',
  ),
)

function isElsewhere({ tool, args, descriptor }: FrozenCall): boolean {
  return tool.server !== null && descriptor.source !== 'declared' && Object.keys(args).some((name) => PLACES.has(name))
}

function named(paths: readonly string[]): string {
  const shown = paths.slice(0, 20).map((path) => `\`${path}\``)
  return paths.length > 20 ? `${shown.join(', ')} and ${paths.length - 20} more` : shown.join(', ')
}

function messageOf(error: unknown): string {
  try {
    const text = error instanceof Error ? error.message : String(error)
    return text.slice(0, 300).toWellFormed()
  } catch {
    return 'it threw an unreadable value'
  }
}
