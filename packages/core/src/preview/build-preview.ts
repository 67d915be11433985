import type { FrozenCall } from '../call/call.ts'
import { freezeJson, MAX_ARGS_BYTES } from '../call/freeze.ts'
import type { Json, JsonObject } from '../call/json.ts'
import { CountersignError } from '../errors.ts'
import type { Targets } from '../ports/targets.ts'
import type { RiskReport } from '../risk/report.ts'
import { commandPreview } from './command-preview.ts'
import { deletePreview, writePreview } from './diff-preview.ts'
import { jsonPreview } from './json-preview.ts'
import type { Preview } from './preview.ts'

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

/** A tool's own preview beside the arguments it was made from. How long it may take is the caller's to bound. */
export async function customPreview(
  call: FrozenCall,
  make: (args: JsonObject) => Promise<Json> | Json,
): Promise<Preview> {
  try {
    const preview = freezeJson(await make(call.args), { root: 'preview', maxBytes: MAX_ARGS_BYTES })
    return { kind: 'json', value: { preview, args: call.args } }
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
  const { kind, command, paths = [] } = call.descriptor
  if (command !== undefined) return commandPreview(command, risk)
  const [path] = paths
  if (path !== undefined && paths.length === 1) {
    if (kind === 'write') return writePreview(call, path, targets)
    if (kind === 'delete') return deletePreview(call, path, targets)
  }
  if (kind === 'write' && paths.length > 1) return jsonPreview(call, [`touches ${paths.length} files: ${named(paths)}`])
  if (kind === 'delete' && paths.length > 1)
    return jsonPreview(call, [`deletes from ${paths.length} places: ${named(paths)}`])
  return jsonPreview(call)
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
    return 'it threw something that cannot be read'
  }
}
