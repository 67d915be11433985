import { isArray } from './canonical.ts'
import type { Json, JsonObject } from './json.ts'

export interface FoundCommand {
  readonly command: string
  /** Only when one list of words was given, and nothing else. */
  readonly argv: readonly string[] | undefined
}

/**
 * The shell command among these arguments. Several at once (two spellings, a list of commands) are taken together, one a
 * line, so that none of them escapes judgement.
 */
export function findCommand(args: JsonObject, names: Iterable<string>): FoundCommand | undefined {
  const lines = new Set<string>()
  let argv: readonly string[] | undefined
  for (const name of names) {
    const value = args[name]
    if (typeof value === 'string') {
      if (value !== '') lines.add(withWords(value, args))
    } else if (value !== undefined && value !== null && isArray(value)) {
      const words = value.filter((item) => typeof item === 'string')
      if (name === 'commands') for (const line of value.map(commandOf)) lines.add(line)
      else if (words.length > 0) {
        argv = words
        lines.add(words.map(shellQuote).join(' '))
      }
    }
  }
  lines.delete('')
  if (lines.size === 0) return undefined
  return { command: [...lines].join('\n'), argv: lines.size === 1 ? argv : undefined }
}

/** `{ command: 'git', args: ['status'] }` is one command. */
function withWords(command: string, args: JsonObject): string {
  const words = args['args'] ?? args['arguments']
  if (words === undefined || words === null || !isArray(words)) return command
  return [command, ...words.filter((word) => typeof word === 'string').map(shellQuote)].join(' ')
}

function commandOf(item: Json): string {
  if (typeof item === 'string') return item
  if (typeof item !== 'object' || item === null || isArray(item)) return ''
  const command = item['command'] ?? item['cmd']
  return typeof command === 'string' ? withWords(command, item) : ''
}

/** A word as a shell would read it back. */
export function shellQuote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
