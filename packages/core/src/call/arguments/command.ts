import { isArray } from '../json/canonical.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { isStandardInput, withSurroundings } from './command-stdin-env.ts'
import { listLine, shellQuote, spreadCommand, withWords } from './command-words.ts'

export interface FoundCommand {
  readonly command: string
  /** Only if the tool runs one list of words directly, and has no other command. */
  readonly argv: readonly string[] | undefined
}

/** How a tool takes its command. */
export interface CommandManner {
  /** A list of words runs without a shell. */
  readonly exact: boolean
  /** The tool runs commands, so a program and its words may be in several arguments. */
  readonly runs: boolean
  /** The tool does nothing else, so a list of words alone is a command. */
  readonly bare: boolean
}

/**
 * The shell command among these arguments, with its standard input and environment. Several commands (two spellings, a
 * list) are joined, one per line, so that all of them are judged.
 */
export function findCommand(
  args: JsonObject,
  names: Iterable<string>,
  manner: CommandManner,
): FoundCommand | undefined {
  const all = [...names]
  const spread = manner.runs ? spreadCommand(args, manner.bare) : undefined
  const lines = new Set<string>(spread === undefined ? [] : [spread.line])
  const argv = addLines(
    lines,
    args,
    all.filter((name) => !isStandardInput(name) && spread?.taken.has(name) !== true),
    manner,
  )
  lines.delete('')
  if (lines.size === 0) {
    // Without a command, the input goes to a shell that is already running.
    addLines(lines, args, all.filter(isStandardInput), manner)
    return lines.size === 0 ? undefined : { command: [...lines].join('\n'), argv: undefined }
  }
  const plain = [...lines].join('\n')
  const command = withSurroundings(plain, args)
  return { command, argv: lines.size === 1 && command === plain ? argv : undefined }
}

/** Adds the commands under these names. Returns the words of a list that runs without a shell. */
function addLines(
  lines: Set<string>,
  args: JsonObject,
  names: readonly string[],
  manner: CommandManner,
): readonly string[] | undefined {
  let argv: readonly string[] | undefined
  for (const name of names) {
    const value = args[name]
    if (typeof value === 'string') {
      if (value !== '') lines.add(isStandardInput(name) ? value : withWords(value, args))
    } else if (value !== undefined && value !== null && isArray(value)) {
      const words = value.filter((item) => typeof item === 'string')
      if (name === 'commands') for (const line of value.map((item) => commandOf(item, manner))) lines.add(line)
      else if (words.length > 0) {
        if (manner.exact) argv = words
        lines.add(manner.exact ? words.map(shellQuote).join(' ') : withWords(listLine(words), args))
      }
    }
  }
  return argv
}

function commandOf(item: Json, manner: CommandManner): string {
  if (typeof item === 'string') return item
  if (typeof item !== 'object' || item === null || isArray(item)) return ''
  return findCommand(item, ['command', 'cmd'], manner)?.command ?? ''
}
