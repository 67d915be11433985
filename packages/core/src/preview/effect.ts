import type { FrozenCall } from '../call/call.ts'
import type { Kind } from '../call/descriptor.ts'
import { assertNever } from '../errors.ts'
import type { RiskReport } from '../risk/report.ts'
import { textLines } from './diff-hunks.ts'
import { isAppend } from './text-change.ts'

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
  const target = where !== '' ? where : url !== undefined ? quote(url) : sql !== undefined ? quote(sql) : ''
  const doubt = command !== undefined && !risk.understood ? ', which could not be fully understood' : ''
  if (source === 'guessed' || source === 'nobody') {
    // What such a tool does is not known, only that it is called.
    if (command !== undefined) return `Calls ${caller} to run ${quote(command)}${doubt}`
    return target === '' ? `Calls ${caller}` : `Calls ${caller} on ${target}`
  }
  if (command !== undefined) return `Runs ${quote(command)}${doubt}`
  if (kind === 'move' && paths.length === 2) return `Moves ${quote(paths[0] ?? '')} to ${quote(paths[1] ?? '')}`
  if (kind === 'other' || kind === 'execute') return target === '' ? `Calls ${caller}` : `Calls ${caller} on ${target}`
  return target === '' ? `${verb(call, kind)} something with ${caller}` : `${verb(call, kind)} ${target}`
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
  if (text.length <= MAX_QUOTE) return `\`${text}\``
  return `\`${text.slice(0, MAX_QUOTE).toWellFormed()}…\` (${text.length - MAX_QUOTE} more characters)`
}
