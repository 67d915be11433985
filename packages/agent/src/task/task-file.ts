import {
  CountersignError,
  formatProblem,
  parseDuration,
  positionsIn,
  readYaml,
  validateNameGlob,
  validatePathGlob,
} from '@countersign/core'
import * as z from 'zod'
import { DEFAULT_LIMITS, type Task } from './task.ts'

const MAX_FILES = 10_000
const MAX_LINES = 1_000_000
const MAX_BYTES = 1024 ** 3
const MAX_TOKENS = 100_000_000
const MAX_TIME_MS = 24 * 3_600_000

/** An invalid glob is an error at load time, not a limit that never applies. */
function glob(problemOf: (pattern: string) => string | null) {
  return z.string().superRefine((pattern, context) => {
    const problem = problemOf(pattern)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
  })
}

const pathGlobs = z.array(glob(validatePathGlob)).min(1).max(100)

const time = z.string().transform((text, context): number => {
  const ms = parseDuration(text)
  if (ms !== null && ms <= MAX_TIME_MS) return ms
  context.addIssue({ code: 'custom', message: 'use a time such as 30s, 5m or 2h, at most 24h' })
  return z.NEVER
})

/** Compared exactly with what the agent runs, so an invisible difference is an error here. */
const commandLine = z
  .string()
  .min(1)
  .max(10_000)
  .refine((text) => text === text.trim(), 'remove the space or line break at the start or end (`|-` instead of `|`)')

const taskFile = z.strictObject({
  version: z.literal(1),
  task: z.string().trim().min(1).max(100_000),
  mode: z.enum(['read-only', 'write']).default('read-only'),
  model: z.string().min(1).max(200).exactOptional(),
  tools: z.array(glob(validateNameGlob)).min(1).max(100).exactOptional(),
  commands: z.array(commandLine).min(1).max(100).exactOptional(),
  uncounted: z.array(glob(validateNameGlob)).min(1).max(100).exactOptional(),
  hosts: z.array(glob(validateNameGlob)).min(1).max(100).exactOptional(),
  paths: z.strictObject({ allow: pathGlobs.exactOptional(), deny: pathGlobs.exactOptional() }).exactOptional(),
  limits: z
    .strictObject({
      files: z.int().min(0).max(MAX_FILES).exactOptional(),
      lines: z.int().min(0).max(MAX_LINES).exactOptional(),
      bytes: z.int().min(0).max(MAX_BYTES).exactOptional(),
      tokens: z.int().min(1).max(MAX_TOKENS).exactOptional(),
      time: time.exactOptional(),
      turns: z.int().min(1).max(1_000).exactOptional(),
    })
    .exactOptional(),
})

/** Parses a task file strictly; errors name file, line and column. */
export function readTask(text: string, name: string): Task {
  const position = positionsIn(text)
  const wrong = (offset: number, message: string, more = 0): CountersignError => {
    const rest = more === 0 ? '' : ` (and ${more} more)`
    return new CountersignError('CS_TASK', `${formatProblem({ file: name, ...position(offset), message })}${rest}`)
  }
  const read = readYaml(text)
  const [first] = read.problems
  if (first !== undefined || read.kind === 'refused')
    throw wrong(first?.offset ?? 0, inTaskWords(first?.message ?? 'not valid YAML'), read.problems.length - 1)
  const checked = taskFile.safeParse(read.tree.value)
  if (checked.success) return taskOf(checked.data, name)
  const { issues } = checked.error
  const [issue] = issues
  if (issue?.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const at = read.tree.offsetOfKey([...plain(issue.path), key])
    throw wrong(at, `\`${key}\` is not a key of ${whose(issue.path)}`, issues.length - 1)
  }
  throw wrong(read.tree.offsetOf(plain(issue?.path ?? [])), wordsOf(issue), issues.length - 1)
}

function taskOf(file: z.output<typeof taskFile>, name: string): Task {
  const { limits = {} } = file
  const { time: timeMs, ...counts } = limits
  return {
    name,
    text: file.task,
    mode: file.mode,
    model: file.model ?? null,
    tools: file.tools ?? null,
    commands: file.commands ?? [],
    uncounted: file.uncounted ?? [],
    hosts: file.hosts ?? null,
    paths: { allow: file.paths?.allow ?? null, deny: file.paths?.deny ?? [] },
    limits: { ...DEFAULT_LIMITS, ...counts, ...(timeMs === undefined ? {} : { timeMs }) },
  }
}

function wordsOf(issue: z.core.$ZodIssue | undefined): string {
  const where = issue === undefined || issue.path.length === 0 ? 'the file' : `\`${issue.path.join('.')}\``
  const message = issue?.message ?? 'is invalid'
  return issue?.code === 'custom'
    ? `${where}: ${message}`
    : `${where}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
}

function whose(path: readonly PropertyKey[]): string {
  return path.length === 0
    ? 'a task; it has version, task, mode, model, tools, commands, uncounted, hosts, paths, limits'
    : `\`${path.join('.')}\``
}

/** The YAML parser’s messages mention policies. */
function inTaskWords(message: string): string {
  return message.replace('a policy file is one document', 'a task file is one document')
}

function plain(path: readonly PropertyKey[]): readonly (string | number)[] {
  return path.map((step) => (typeof step === 'number' ? step : String(step)))
}
