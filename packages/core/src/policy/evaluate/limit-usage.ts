import type { FrozenCall } from '../../call/call.ts'
import { objectsIn } from '../../call/describe/guess.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { innerReadings } from '../../risk/nested-calls/interpretations.ts'
import type { RatedCall } from '../../risk/report/rating-input.ts'
import type { RiskReport } from '../../risk/report/report.ts'
import { isShell } from './nested-calls.ts'

/** What one call adds to the counters of limits. */
export interface CallMeasure {
  readonly calls: number
  readonly files: number
  readonly lines: number
}

const TEXT_NAMES = [
  'content',
  'contents',
  'file_text',
  'new_string',
  'newString',
  'new_str',
  'new_text',
  'insert_text',
  'text',
]
const PATCH_NAMES = ['patch', 'diff']
const LIST_NAMES = ['edits', 'changes', 'files']

/**
 * Counts a call, or those that it makes for its caller, the distinct files written or deleted, and the lines written.
 * SECURITY: A31, a limit is not got round by putting many calls into one.
 */
export function measureCall(call: FrozenCall, risk: RiskReport): CallMeasure {
  const files = new Set<string>()
  for (const path of risk.paths) if (path.use === 'write' || path.use === 'delete') files.add(path.real ?? path.given)
  const writes = call.descriptor.kind === 'write' || risk.paths.some((path) => path.use === 'write')
  const own = writes ? linesIn(call.args) : 0
  if (isShell(call)) return { calls: 1, files: files.size, lines: own }
  const { readings, missed } = innerReadings(call)
  const inner = readings.filter(({ isHome, isMaybe }) => isHome && !isMaybe)
  const lines = missed === 'beyond' ? linesAnywhere(call.args) : inner.reduce((sum, one) => sum + linesOf(one.call), 0)
  return { calls: Math.max(1, inner.length), files: files.size, lines: Math.max(own, lines) }
}

/** What a tool inside is taken for is a guess: only one that surely writes nothing has no lines. */
function linesOf({ args, descriptor }: RatedCall): number {
  return /^(?:read|fetch|query|send)$/.test(descriptor.kind) ? 0 : linesIn(args)
}

/** Of calls that were not all looked at. */
function linesAnywhere(args: JsonObject): number {
  return objectsIn(args).reduce((sum, object) => sum + linesIn({ ...object, edits: [], changes: [], files: [] }), 0)
}

function linesIn(args: Json): number {
  if (args === null || typeof args !== 'object' || Array.isArray(args)) return 0
  const read = args as { readonly [name: string]: Json }
  let lines = 0
  for (const name of Object.keys(read)) {
    const value = read[name]
    if (typeof value === 'string' && TEXT_NAMES.includes(name)) lines += countLines(value)
    else if (typeof value === 'string' && PATCH_NAMES.includes(name)) lines += addedLines(value)
    else if (Array.isArray(value) && LIST_NAMES.includes(name)) for (const edit of value) lines += linesIn(edit)
  }
  return lines
}

function countLines(text: string): number {
  if (text === '') return 0
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1
  return lines
}

function addedLines(patch: string): number {
  return patch.split('\n').filter((line) => line.startsWith('+') && !line.startsWith('+++')).length
}
