import type { FrozenCall } from '../call/call.ts'
import type { Json } from '../call/json.ts'
import type { RiskReport } from '../risk/report.ts'

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

/** Counts a call as one, the distinct files it writes or deletes, and the lines it writes. */
export function measureCall(call: FrozenCall, risk: RiskReport): CallMeasure {
  const files = new Set<string>()
  for (const path of risk.paths) if (path.use === 'write' || path.use === 'delete') files.add(path.real ?? path.given)
  const writes = call.descriptor.kind === 'write' || risk.paths.some((path) => path.use === 'write')
  return { calls: 1, files: files.size, lines: writes ? linesIn(call.args) : 0 }
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
