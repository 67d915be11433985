import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { type Call, CountersignError, safeText, type Targets } from '@countersign/core'
import type { Command } from 'commander'
import { commandCall, execCall } from '../exec/command-call.ts'
import type { Io } from '../terminal/io.ts'

/** Flags that describe a call. */
export interface AskedCallFlags {
  readonly args?: string
  readonly argsFile?: string
  readonly server?: string
  readonly annotations?: string
  readonly agent?: string
}

const MOST_BYTES = 1_048_576

/** A tool call, or a command after `--`. */
export type Asked =
  | { readonly kind: 'call'; readonly call: Call }
  | { readonly kind: 'command'; readonly words: readonly string[] }

/** Reads the call from the arguments of `policy explain` and `preview`. */
export function readAsked(command: Command, flags: AskedCallFlags, io: Io): Asked {
  const { before, after } = aroundDashes(command)
  if (after.length > 0) {
    if (
      before.length > 0 ||
      flags.args !== undefined ||
      flags.argsFile !== undefined ||
      flags.server !== undefined ||
      flags.annotations !== undefined
    )
      throw usage('pass either a tool with its arguments, or a command after `--`')
    return { kind: 'command', words: after }
  }
  const [name, ...more] = before
  if (name === undefined) throw usage('pass a tool name, or a command after `--`')
  if (more.length > 0) throw usage(`\`${safeText(more[0] ?? '')}\` is unexpected; write a command after \`--\``)
  if (isCommandLine(name, flags)) return { kind: 'call', call: { tool: 'execute_command', args: { command: name } } }
  const tool = {
    name,
    ...(flags.server === undefined ? {} : { server: flags.server }),
    ...(flags.annotations === undefined ? {} : { annotations: objectFrom(flags.annotations, ANNOTATIONS) }),
  }
  const source = flags.server === undefined ? {} : ({ source: 'mcp' } as const)
  return { kind: 'call', call: { tool, args: readArguments(flags, io), ...source } }
}

/** No tool has a space in its name: `policy explain 'rm -rf build'` means the command. */
function isCommandLine(name: string, { args, argsFile, server }: AskedCallFlags): boolean {
  return /\s/.test(name.trim()) && args === undefined && argsFile === undefined && server === undefined
}

/** Builds the call as `exec` and `chat` would ask. A program that is not installed is accepted by name. */
export async function askedCall(asked: Asked, cwd: string, targets: Targets): Promise<Call> {
  const call = asked.kind === 'call' ? asked.call : await commandOrName(asked.words, cwd, targets)
  return { ...call, containable: call.source !== 'mcp' }
}

async function commandOrName(words: readonly string[], cwd: string, targets: Targets): Promise<Call> {
  try {
    return await execCall(words, cwd, targets)
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'CS_TARGET') return { ...commandCall(words), cwd }
    throw error
  }
}

/** Splits at `--`, which commander drops from its own arguments. */
function aroundDashes(command: Command): { readonly before: readonly string[]; readonly after: readonly string[] } {
  let root = command
  while (root.parent !== null) root = root.parent
  const raw: unknown = 'rawArgs' in root ? root.rawArgs : []
  const words = Array.isArray(raw) ? raw.map(String) : []
  const dashes = words.indexOf('--')
  const after = dashes === -1 ? [] : words.slice(dashes + 1)
  return { before: command.args.slice(0, command.args.length - after.length), after }
}

function readArguments(flags: AskedCallFlags, io: Io): unknown {
  if (flags.args !== undefined && flags.argsFile !== undefined) throw usage('use either `--args` or `--args-file`')
  const text = flags.args ?? (flags.argsFile === undefined ? '{}' : readArgs(resolve(io.cwd, flags.argsFile)))
  return objectFrom(text, ARGUMENTS)
}

const ARGUMENTS = { what: 'the arguments', example: '{"path":"notes.txt"}' }
const ANNOTATIONS = { what: 'the annotations', example: '{"readOnlyHint":true}' }

function objectFrom(text: string, { what, example }: typeof ARGUMENTS): object {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new CountersignError('CS_USAGE', `${what} are not valid JSON; try '${example}'`, { cause: error })
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value
  throw usage(`${what} must be a JSON object, for example '${example}'`)
}

function readArgs(path: string): string {
  try {
    const text = readFileSync(path, 'utf8')
    if (text.length <= MOST_BYTES) return text
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new CountersignError('CS_USAGE', `\`${safeText(path)}\` cannot be read (${code}); check the path`, {
      cause: error,
    })
  }
  throw usage(`\`${safeText(path)}\` is over 1 MiB; arguments can’t be that large`)
}

function usage(message: string): CountersignError {
  return new CountersignError('CS_USAGE', message)
}

/** Adds the arguments and options that describe a call. */
export function takeAskedCall(command: Command): Command {
  return command
    .argument('[tool]', 'tool name, or a command in quotes')
    .argument('[command...]', 'after `--`: a command')
    .usage('[options] <tool> | -- <command...>')
    .option('--args <json>', 'arguments as a JSON object')
    .option('--args-file <file>', 'arguments from a JSON file')
    .option('--server <name>', 'MCP server of the tool')
    .option('--annotations <json>', 'hints that the server gives about the tool')
    .option('--agent <name>', 'name of the agent')
    .option('--cwd <folder>', 'workspace of the call (default: current folder)')
}
