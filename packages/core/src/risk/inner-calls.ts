import { isArray } from '../call/canonical.ts'
import type { Json, JsonObject } from '../call/json.ts'
import { nameWords } from '../call/words.ts'

/** Words of tools that make other calls. */
const META =
  /^(?:batch|parallel|multi|call|invoke|execute|exec|run|use|dispatch|workflow|pipeline|chain|sequence|tool|tools|proxy|router|orchestrate|macro|delegate|perform|steps|actions)$/
const META_ARGUMENTS = [
  'tool_calls',
  'toolCalls',
  'tool_uses',
  'calls',
  'tool_name',
  'toolName',
  'invocations',
] as const

/** Whether a tool makes other calls, so that what is inside is what counts. */
export function isMetaTool(name: string, args: JsonObject): boolean {
  return nameWords(name).some((word) => META.test(word)) || META_ARGUMENTS.some((one) => Object.hasOwn(args, one))
}

/** Under which keys a call inside this tool may be named: `invoke_tool` also takes `{ id, args }`. */
export function namesIn(tool: string): readonly string[] {
  return nameWords(tool).some((word) => CALLERS.test(word)) ? NAMES_AND_IDS : NAMES
}

/** A call that another tool makes for the caller. */
export interface InnerCall {
  readonly name: string
  readonly server: string | null
  readonly args: JsonObject
}

export interface InnerCalls {
  readonly calls: readonly InnerCall[]
  /** False when there are more than are looked at, or the arguments of one cannot be read. */
  readonly whole: boolean
}

/** Calls looked at; more are a reason to be careful. */
const MAX_CALLS = 64
const MAX_OBJECTS = 5000
const NAMES: readonly string[] = [
  'tool',
  'tool_name',
  'toolName',
  'tool_id',
  'toolId',
  'recipient_name',
  'function_name',
  'functionName',
  'name',
  'function',
]
const ARGUMENTS = [
  'arguments',
  'args',
  'parameters',
  'params',
  'input',
  'tool_input',
  'toolInput',
  'arguments_json',
  'tool_args',
] as const
/** These say that it is a tool, arguments or not. */
const SAY_TOOL: ReadonlySet<string> = new Set(NAMES.filter((name) => name !== 'name' && name !== 'function'))
/** Of a tool that is there to call others, the last of these name one as well, where arguments stand beside them. */
const NAMES_AND_IDS: readonly string[] = [...NAMES, 'id', 'slug', 'action', 'method', 'operation']
const CALLERS = /^(?:invoke|call|dispatch|tool|tools|proxy|router|delegate)$/
const SERVERS = ['server', 'server_name', 'serverName', 'mcp_server'] as const

/**
 * The calls inside a meta-tool or a batch: `{ name, arguments }`, `{ tool, args }`, `{ function: { name, arguments } }`
 * and their like, in lists or alone. A thing with a name and no arguments is no call, unless it says `tool` or the tool
 * around it is there to call others: arguments are optional. `names` are the keys that name one, see `namesIn`.
 */
export function findInnerCalls(args: JsonObject, names: readonly string[] = NAMES): InnerCalls {
  const calls: InnerCall[] = []
  let whole = true
  const rest: Json[] = [args]
  for (let at = 0; at < rest.length; at++) {
    if (at >= MAX_OBJECTS || calls.length >= MAX_CALLS) return { calls, whole: false }
    const next = rest[at]
    if (next === undefined || next === null || typeof next !== 'object') continue
    if (isArray(next)) {
      rest.push(...next.slice(0, MAX_OBJECTS))
      continue
    }
    const found = callOf(next, names)
    if (found === null) rest.push(...Object.values(next))
    else {
      calls.push(found.call)
      if (!found.isReadable) whole = false
    }
  }
  return { calls, whole }
}

/** One call inside. Where its arguments cannot be read its name still counts: what is denied is denied by name as well. */
function callOf(
  object: JsonObject,
  names: readonly string[],
): { readonly call: InnerCall; readonly isReadable: boolean } | null {
  const inner = object['function']
  if (inner !== null && typeof inner === 'object' && !isArray(inner)) {
    const nested = callOf(inner, names)
    if (nested !== null) return nested
  }
  const key = names.find((name) => isName(object[name]))
  if (key === undefined) return null
  const given = ARGUMENTS.map((name) => object[name]).find((value) => value !== undefined)
  const isSure = SAY_TOOL.has(key) || (key === 'name' && names === NAMES_AND_IDS)
  if (given === undefined && !isSure) return null
  const args = given === undefined || given === null ? {} : objectOf(given)
  if (args === null && !isSure && typeof given !== 'string') return null
  const server = SERVERS.map((name) => object[name]).find((value) => typeof value === 'string')
  const name = String(object[key]).replace(/^functions\./, '')
  const call = { name, server: typeof server === 'string' ? server : null, args: args ?? {} }
  return { call, isReadable: args !== null }
}

function isName(value: Json | undefined): value is string {
  return typeof value === 'string' && /^[\w.:/-]{1,128}$/.test(value)
}

/** Arguments as an object; a text is JSON, as models hand it on. */
function objectOf(value: Json): JsonObject | null {
  if (typeof value === 'string') {
    if (value.trim() === '') return {}
    try {
      return plainObject(JSON.parse(value) as Json)
    } catch {
      return null
    }
  }
  return plainObject(value)
}

function plainObject(value: Json): JsonObject | null {
  return value !== null && typeof value === 'object' && !isArray(value) ? value : null
}
