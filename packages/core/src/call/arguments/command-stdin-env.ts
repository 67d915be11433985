import { ARGUMENT_NAMES } from '../../knowledge/compiled/tools.ts'
import { isArray } from '../json/canonical.ts'
import type { Json, JsonObject } from '../json/json.ts'
import { plainKey } from '../names/words.ts'
import { shellQuote } from './command-words.ts'

const TAKES_INPUT =
  /(?:^|[\s/;|&(])(?:(?:ba|z|k|da|a|fi)?sh|python[\d.]*|node|deno|bun|ruby|perl|php|lua|pwsh|psql|mysql|mariadb|sqlite3|mongosh|mongo|redis-cli|xargs|ssh|parallel|at|batch|crontab|tee|dd|nc|curl|kubectl|docker)(?=$|[\s;|&)])/
const MAX_VARIABLES = 256

/** Whether an argument is standard input rather than a command, if there is a command beside it. */
export function isStandardInput(key: string): boolean {
  return ARGUMENT_NAMES.standardInput.has(plainKey(key)) || ARGUMENT_NAMES.possibleStandardInput.has(plainKey(key))
}

/** The command with the standard input and the environment from other arguments. */
export function withSurroundings(command: string, args: JsonObject): string {
  return withEnvironment(withInput(command, args), args)
}

function withInput(command: string, args: JsonObject): string {
  const takes = TAKES_INPUT.test(command)
  const texts = Object.entries(args).flatMap(([key, value]) => {
    const name = plainKey(key)
    if (!ARGUMENT_NAMES.standardInput.has(name) && !(ARGUMENT_NAMES.possibleStandardInput.has(name) && takes)) return []
    const lines = typeof value === 'string' ? [value] : value !== null && typeof value === 'object' ? listOf(value) : []
    return lines.filter((line) => line !== '')
  })
  if (texts.length === 0) return command
  const text = texts.join('\n')
  const end = endMark(text)
  const isPlain = !/[|;&\n<>#(){}]/.test(command)
  const reader = isPlain ? command : `{ ${command}\n}`
  return `${reader} <<'${end}'\n${text}\n${end}`
}

function listOf(value: Json): readonly string[] {
  return isList(value) ? value.filter((item) => typeof item === 'string') : []
}

/** A delimiter that is not a line of the text. */
function endMark(text: string): string {
  let longest = ''
  for (const [found] of text.matchAll(/INPUT_*/g)) if (found.length >= longest.length) longest = `${found}_`
  return longest === '' ? 'INPUT' : longest
}

const RESERVED = /^(?:if|for|while|until|case|select|function|time|coproc|export|declare|\[\[|[({!#])(?=$|\W|\s)/

/** Puts the variables of other arguments before the command. */
function withEnvironment(command: string, args: JsonObject): string {
  const variables = variablesOf(args)
  if (variables.length === 0) return command
  const isSimple = /^[\w./~"'-]/.test(command) && !RESERVED.test(command)
  const before: string[] = []
  const first: string[] = []
  for (const [name, value] of variables.slice(0, MAX_VARIABLES)) {
    const assignment = `${name}=${shellQuote(value)}`
    // The command itself expands this variable before it starts.
    const isExpanded = command.includes(`$${name}`) || command.includes(`\${${name}`)
    if (isSimple && !isExpanded) before.push(assignment)
    else first.push(`export ${assignment}\n`)
  }
  return `${first.join('')}${[...before, command].join(' ')}`
}

function variablesOf(args: JsonObject): readonly (readonly [string, string])[] {
  const found: (readonly [string, string])[] = []
  const put = (name: string, value: Json): void => {
    // `BASH_FUNC_ls%%` is a function whose name is not valid in an assignment.
    const plain = name.replace(/\W/g, '_')
    if (/^[A-Za-z_]/.test(plain) && (value === null || typeof value !== 'object'))
      found.push([plain, String(value ?? '')])
  }
  for (const [key, value] of Object.entries(args)) {
    if (!ARGUMENT_NAMES.environment.has(plainKey(key))) continue
    if (typeof value === 'string') {
      for (const line of value.split(/[\n\0]/)) putLine(line, put)
    } else if (isList(value)) {
      for (const item of value) {
        if (typeof item === 'string') putLine(item, put)
        else if (item !== null && typeof item === 'object' && !isList(item)) {
          const name = item['name'] ?? item['key']
          if (typeof name === 'string') put(name, item['value'] ?? '')
        }
      }
    } else if (value !== null && typeof value === 'object' && !isArray(value)) {
      for (const [name, one] of Object.entries(value)) put(name, one)
    }
  }
  return found
}

/** `NAME=value`; a text without an equals sign is the name of an environment, such as `staging`. */
function putLine(line: string, put: (name: string, value: string) => void): void {
  const at = line.indexOf('=')
  if (at > 0) put(line.slice(0, at).trim(), line.slice(at + 1))
}

function isList(value: Json): value is readonly Json[] {
  return value !== null && typeof value === 'object' && isArray(value)
}
