import { existsSync, readFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { type Call, CountersignError, type ReadKnowledge, safeText } from '@countersign/core'
import { addExamples } from '../arguments/help-examples.ts'
import type { Subcommand } from '../arguments/subcommand.ts'
import { type Io, print, printJson } from '../terminal/io.ts'
import { answerJsonLines } from '../terminal/json-lines.ts'
import { assess, callOf, rateRow } from './rated-row.ts'
import { riskLines, sourceOfPart, sourceOfReason } from './risk-lines.ts'

interface RiskFlags {
  readonly tool?: string
  readonly server?: string
  readonly args?: string
  readonly call?: string
  readonly jsonl?: boolean
}

/** `countersign risk`: rates a command or tool call. */
export const command: Subcommand = {
  name: 'risk',
  summary: 'rate the risk of a command or tool call',
  define(command, io) {
    addExamples(command, [
      [`countersign risk 'git push --force'`, 'a shell command line'],
      ['countersign risk -- rm -rf build', 'a command, word by word'],
      [`countersign risk --tool delete_user --args '{"id":4}'`, 'a tool with its arguments'],
      ['countersign risk --jsonl < calls.jsonl', 'many calls, as JSON lines'],
    ])
    command
      .argument('[command...]', 'the command; a single word is a shell command line')
      .usage('[options] <command...> | --tool <name> | --call <file> | --jsonl')
      .option('--tool <name>', 'rate a tool call instead of a command')
      .option('--server <name>', 'MCP server of the tool')
      .option('--args <json>', 'arguments of the tool, as a JSON object')
      .option('--call <file>', 'JSON file with a call; `-` for stdin')
      .option('--jsonl', 'read calls from stdin as JSON lines, print one answer per line')
      .action((words: readonly string[], flags: RiskFlags) => rate(words, flags, io))
  },
}

/** Rates the call. Nothing is run or recorded; only your knowledge files are read, and for JSON lines not even those. */
async function rate(words: readonly string[], flags: RiskFlags, io: Io): Promise<void> {
  if (flags.jsonl === true) return io.exit(await answerJsonLines(io, rateRow))
  const home = homedir()
  const places = {
    workspace: io.cwd,
    home,
    gate: resolve(io.cwd, io.home ?? join(home, '.countersign')),
    temp: tmpdir(),
  }
  const assessed = assess(await asked(words, flags, io), places, await ownKnowledge(places.gate, io))
  if (!io.json) {
    for (const line of riskLines(assessed, io)) print(io, line)
    return
  }
  const { level, reversible, magnitude, target, reasons, parts } = assessed.risk
  const sourced = (source: string | undefined) => (source === undefined ? {} : { source })
  printJson(io, {
    level,
    reversible,
    magnitude,
    target,
    reasons: reasons.map((reason) => ({ ...reason, ...sourced(sourceOfReason(assessed, reason)) })),
    parts: parts.map(({ command, level }) => ({
      text: command.text,
      program: command.program,
      level,
      ...sourced(sourceOfPart(assessed, command)),
    })),
  })
}

/** Your knowledge files. What reads them is loaded only where there is a home. */
async function ownKnowledge(gate: string, io: Io): Promise<ReadKnowledge['knowledge']> {
  return existsSync(gate) ? (await import('./knowledge-in-force.ts')).knowledgeInForce(io) : undefined
}

async function asked(given: readonly string[], asking: RiskFlags, io: Io): Promise<Call> {
  const [words, flags] = namedTool(given, asking)
  const ways = [words.length > 0, flags.tool !== undefined, flags.call !== undefined].filter(Boolean).length
  if (ways !== 1) throw usage('pass exactly one of: a command, `--tool`, `--call`')
  if (flags.call !== undefined) return callOf(objectOf(await readCall(flags.call, io), '`--call`'))
  if (flags.tool !== undefined) {
    const { tool, server } = flags
    return callOf({ tool, server, args: objectOf(flags.args ?? '{}', '`--args`') })
  }
  if (flags.args !== undefined || flags.server !== undefined)
    throw usage('`--args` and `--server` are for a tool; name it with `--tool`')
  const [first = ''] = words
  return words.length === 1
    ? callOf({ command: first })
    : { tool: 'exec', source: 'builtin', args: { command: [...words] } }
}

/** `risk write_file --args …` means the tool, as in `policy explain`. */
function namedTool(words: readonly string[], flags: RiskFlags): readonly [readonly string[], RiskFlags] {
  const [word, ...more] = words
  const isTool = flags.args !== undefined && flags.tool === undefined && flags.call === undefined
  if (!isTool || word === undefined || more.length > 0 || /\s/.test(word)) return [words, flags]
  return [[], { ...flags, tool: word }]
}

async function readCall(path: string, io: Io): Promise<string> {
  if (path === '-') return readText(io.stdin)
  try {
    return readFileSync(resolve(io.cwd, path), 'utf8')
  } catch (error) {
    throw new CountersignError('CS_USAGE', `\`${safeText(path)}\` cannot be read; check the path`, { cause: error })
  }
}

function objectOf(text: string, what: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch (error) {
    throw new CountersignError('CS_USAGE', `${what} is not valid JSON; for example '{"path":"notes.txt"}'`, {
      cause: error,
    })
  }
  throw usage(`${what} must be a JSON object, for example '{"path":"notes.txt"}'`)
}

function usage(message: string): CountersignError {
  return new CountersignError('CS_USAGE', message)
}
