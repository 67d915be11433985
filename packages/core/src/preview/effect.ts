import type { FrozenCall } from '../call/call.ts'
import type { Kind } from '../call/descriptor.ts'
import { fencedName } from '../display/formatting.ts'
import { assertNever } from '../errors.ts'
import type { RiskReport } from '../risk/report/report.ts'
import { textLines } from './diff/hunks.ts'
import { type PatchPiece, patchOf } from './edits/patch-parser.ts'
import { isAppend } from './edits/text-change.ts'
import { endsOf } from './kinds/move.ts'

const MAX_QUOTE = 400
const MAX_PATHS = 3

/**
 * One sentence on what a call would do, from its tool and arguments only: never from the agent's words or the server's
 * description. Raw text: surfaces escape it.
 */
export function effectSentence(call: FrozenCall, risk: RiskReport): string {
  const { kind, command, paths = [], sql, url, source } = call.descriptor
  const caller = toolName(call)
  const where = pathList(paths)
  const method = url === undefined ? null : methodOf(call)
  const target = where !== '' ? where : url !== undefined ? quote(url) : sql !== undefined ? quote(sql) : ''
  if (call.source === 'builtin' && call.tool.name === 'undo') return undoSentence(call, caller)
  const doubt = command !== undefined && !risk.understood ? ', which could not be fully understood' : ''
  if (source === 'guessed' || source === 'nobody') {
    // What such a tool does is not known, only that it is called.
    if (command !== undefined) return `Calls ${caller} to run ${quote(command)}${doubt}`
    if (method !== null && where === '') return `Calls ${caller} to ${method} ${target}`
    return target === '' ? `Calls ${caller}` : `Calls ${caller} on ${target}`
  }
  if (command !== undefined) return `Runs ${quote(command)}${doubt}`
  const pieces = kind === 'write' || kind === 'delete' || kind === 'move' ? patchOf(call) : []
  if (pieces.length > 0) return patchSentence(pieces)
  const ends = endsOf(call)
  if (ends !== undefined) return `${ends.verb === 'move' ? 'Moves' : 'Copies'} ${quote(ends.from)} to ${quote(ends.to)}`
  if (kind === 'other' || kind === 'execute') return target === '' ? `Calls ${caller}` : `Calls ${caller} on ${target}`
  if (method !== null && method !== 'GET' && where === '' && (kind === 'fetch' || kind === 'send'))
    return `Sends ${method} to ${target}`
  return target === '' ? `Calls ${caller}, which ${WITHOUT_TARGET[kind]}` : `${verb(call, kind)} ${target}`
}

const WITHOUT_TARGET = {
  read: 'only reads',
  write: 'makes changes',
  delete: 'deletes something',
  move: 'moves something',
  fetch: 'fetches from the web',
  query: 'queries data',
  send: 'sends something',
} as const

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The HTTP method in the arguments; null if there is none, or an unknown one. */
function methodOf({ args }: FrozenCall): string | null {
  const given = args['method']
  const method = typeof given === 'string' ? given.toUpperCase() : ''
  return METHODS.has(method) ? method : null
}

/** What an undo brings back and takes away. */
function undoSentence({ args }: FrozenCall, caller: string): string {
  const pathsOf = (name: string): readonly string[] => {
    const list = args[name]
    return Array.isArray(list) ? list.filter((one) => typeof one === 'string') : []
  }
  const [restored, removed] = [pathsOf('restore'), pathsOf('remove')]
  const acts = [
    ...(restored.length > 0 ? [`restores ${pathList(restored)}`] : []),
    ...(removed.length > 0 ? [`removes ${pathList(removed)}`] : []),
  ]
  return acts.length === 0 ? `Calls ${caller}` : `Undo: ${acts.join(', and ')}`
}

const DONE = { edit: 'changed', delete: 'deleted', move: 'moved', copy: 'copied' } as const

/** What a patch does, counted: its kind as a call is that of the worst of it. */
function patchSentence(pieces: readonly PatchPiece[]): string {
  const [only] = pieces
  if (only !== undefined && pieces.length === 1) {
    if (only.from !== undefined)
      return `${only.change === 'copy' ? 'Copies' : 'Moves'} ${quote(only.from)} to ${quote(only.path)}${only.hasLines ? ' and changes it' : ''}`
    return `${only.change === 'delete' ? 'Deletes' : 'Changes'} ${quote(only.path)}`
  }
  const counts = (['edit', 'move', 'copy', 'delete'] as const).flatMap((change) => {
    const count = pieces.filter((piece) => piece.change === change).length
    return count === 0 ? [] : [`${count} ${DONE[change]}`]
  })
  return `Patches ${pieces.length} files (${counts.join(', ')}): ${pathList(pieces.map(({ path }) => path))}`
}

function verb(call: FrozenCall, kind: Exclude<Kind, 'other' | 'execute'>): string {
  switch (kind) {
    case 'read':
      return 'Reads'
    case 'write':
      return writes(call)
    case 'delete':
      return 'Deletes'
    case 'move':
      return 'Moves'
    case 'fetch':
      return 'Fetches'
    case 'query':
      return 'Queries'
    case 'send':
      return 'Sends to'
    default:
      return assertNever(kind)
  }
}

function toolName(call: FrozenCall): string {
  const { name, server } = call.tool
  return server === null ? quote(name) : `${quote(name)} of server ${quote(server)}`
}

function writes(call: FrozenCall): string {
  const content = call.args['content'] ?? call.args['contents'] ?? call.args['file_text']
  if (typeof content !== 'string' || (call.descriptor.paths?.length ?? 0) === 0) return 'Changes'
  const count = textLines(content).length
  return `${isAppend(call.args) ? 'Appends' : 'Writes'} ${count} ${count === 1 ? 'line' : 'lines'} to`
}

function pathList(paths: readonly string[]): string {
  const shown = paths.slice(0, MAX_PATHS).map(quote).join(', ')
  return paths.length > MAX_PATHS ? `${shown} and ${paths.length - MAX_PATHS} more` : shown
}

function quote(text: string): string {
  if (text.length <= MAX_QUOTE) return fencedName(text)
  return `${fencedName(`${text.slice(0, MAX_QUOTE).toWellFormed()}…`)} (${text.length - MAX_QUOTE} more characters)`
}
