import { KINDS } from '../../call/descriptor.ts'
import { isJsonObject, type Json, type JsonObject } from '../../call/json/json.ts'
import { decompose } from '../../command/decompose.ts'
import { grantableOptions } from '../../command/programs/global-options.ts'
import { wholeVerb } from '../../command/programs/subcommand.ts'
import { safeText } from '../../display/escape.ts'
import { CountersignError } from '../../errors.ts'
import { programRow } from '../../knowledge/programs.ts'
import { flowText } from './rules-text.ts'

/**
 * The conditions that a person means by `read_file`, `github/*`, `kind:delete`, `server:github` or `git push`. Several words
 * are a command; one word is a tool, unless it is a known program and no tool.
 */
export function readTarget(text: string, isTool: (name: string) => boolean): JsonObject {
  const trimmed = text.trim()
  const [prefix, rest] = splitPrefix(trimmed)
  switch (prefix) {
    case 'kind':
      return { kind: oneOf(rest, KINDS) }
    case 'server':
    case 'tool':
      if (rest === '' || /\s/.test(rest)) throw usage(`\`${safeText(trimmed)}\` names no ${prefix}`)
      return { [prefix]: rest }
    case 'command':
      return commandTarget(rest)
    default:
  }
  if (trimmed === '') throw usage('name a tool, `kind:delete`, `server:github` or a command such as `git push`')
  if (/\s/.test(trimmed) || (!isTool(trimmed) && programRow(trimmed) !== undefined)) return commandTarget(trimmed)
  return { tool: trimmed }
}

function splitPrefix(text: string): readonly [string | null, string] {
  const found = /^(kind|server|tool|command):(.*)$/s.exec(text)
  return found === null ? [null, text] : [found[1] ?? null, (found[2] ?? '').trim()]
}

/** A program with its verb and flags. Operands would make a rule look narrower than it is. */
function commandTarget(text: string): JsonObject {
  const { parts, problems } = decompose(text)
  const [part] = parts
  if (part === undefined || parts.length > 1 || problems.length > 0 || part.program === null)
    throw usage(`\`${safeText(text)}\` is not one plain command; name its program and verb, such as \`git push\``)
  const isPlain = part.assignments.length === 0 && part.redirections.length === 0 && part.stdin.kind === 'none'
  const words = part.args.map(({ value, glob }) => (glob ? null : value))
  if (!isPlain || words.includes(null))
    throw usage(`\`${safeText(text)}\` has variables, patterns or redirections; name only its program, verb and flags`)
  const verb = grantableOptions(part.program) === undefined ? null : wholeVerb(part)
  const verbWords = verb?.split(' ') ?? []
  const flags = words.filter((word): word is string => word?.startsWith('-') === true && word.length > 1)
  const operands = words.filter((word) => word?.startsWith('-') === false).slice(verbWords.length)
  if (operands.length > 0)
    throw usage(
      `a rule can’t name the operand \`${safeText(String(operands[0]))}\`; leave it out, or write the rule with \`policy add\``,
    )
  return {
    command: {
      program: part.program,
      ...(verb === null ? {} : { verb }),
      ...(flags.length === 0 ? {} : { flags: flags.length === 1 ? (flags[0] ?? '') : flags }),
    },
  }
}

function oneOf(text: string, known: readonly string[]): string {
  if (known.includes(text)) return text
  throw usage(`\`${safeText(text)}\` is not a kind; choose one of ${known.join(', ')}`)
}

function usage(message: string): CountersignError {
  return new CountersignError('CS_USAGE', message)
}

/** A target in words: `git push`, `kind delete`, `read_file`. */
export function targetWords(conditions: JsonObject): string {
  const { command, ...others } = conditions
  const words = Object.entries(others).map(([key, value]) => (key === 'tool' ? text(value) : `${key} ${text(value)}`))
  return [...(command === undefined ? [] : [commandText(command)]), ...words].join(', ')
}

function commandText(command: Json): string {
  if (!isJsonObject(command)) return text(command)
  const { program, verb, flags, like, in: folder } = command
  const place = folder === undefined ? '' : ` in ${text(folder)}`
  if (like !== undefined) return `${text(like)}${place}`
  return `${[program, verb, flags].flatMap((one) => (one === undefined ? [] : one)).join(' ')}${place}`
}

function text(value: Json): string {
  return typeof value === 'string' ? value : flowText(value)
}
