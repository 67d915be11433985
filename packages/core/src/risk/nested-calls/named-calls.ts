import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { callKey, isArgumentKey, isCallList, isMetaTool, isServerKey, type Reading } from './call-keys.ts'
import type { ReadLimit } from './limits.ts'

/** A call that one object describes. */
export interface NamedCall {
  readonly name: string
  readonly server: string | null
  readonly args: JsonObject
  /** The name comes from a key that may not name a tool. It can raise a call, and never explains one. */
  readonly isMaybe: boolean
}

/** What could not be parsed: the `arguments` of a call, so that any rule on them may apply, or `calls` inside them. */
export type Unread = 'nothing' | 'arguments' | 'calls'

export interface NamedCalls {
  readonly calls: readonly NamedCall[]
  /** Each name with the other keys beside it, which may be its arguments: `{ tool, database }`. */
  readonly flat: readonly NamedCall[]
  /** The arguments of one can't be parsed, or there are several names side by side. */
  readonly isUnclear: boolean
  readonly unread: Unread
  /** The keys whose values were taken as arguments, with the parsed arguments. */
  readonly argumentsAt: ReadonlyMap<string, Json>
}

interface Name {
  readonly key: string
  readonly name: string
  /** It is a call, with or without arguments. */
  readonly isSure: boolean
  /** An `id` is the name if nothing else is. */
  readonly weight: 'name' | 'id' | 'maybe'
}

const NOTHING: NamedCalls = { calls: [], flat: [], isUnclear: false, unread: 'nothing', argumentsAt: new Map() }

/**
 * The calls that one object describes, up to `most`: each name with each set of arguments, since the tool may use any of
 * them. A name with unparsable arguments still counts, for rules that deny by name.
 */
export function readNamedCalls(object: JsonObject, reading: Reading, most: number, budget: ReadLimit): NamedCalls {
  const entries = Object.entries(object)
  const given = entries.filter(([key, value]) => isArgumentKey(key) && value !== null)
  const isGiven = entries.some(([key]) => isArgumentKey(key))
  const all = entries.flatMap(([key, value]) => namesAt(key, value, reading, isGiven))
  const names = reading === 'listed' && all.some(({ weight }) => weight === 'name') ? all.filter(isNoId) : all
  if (names.length === 0) return NOTHING
  const named = new Set(names.flatMap(({ name, weight }) => (weight === 'name' ? [name] : [])))
  const stated = entries.flatMap(([key, value]) => (isServerKey(key) && typeof value === 'string' ? [value] : []))
  const servers = stated.length === 0 ? [null] : stated
  const read = given.map(([key, value]) => ({ key, value, args: readArguments(value, budget) ?? notArguments(value) }))
  const sets = read.length === 0 ? [{ value: null, args: {} }] : read
  for (const { args } of sets) if (typeof args !== 'string') budget.chargeValues(args, names.length * servers.length)
  const calls: NamedCall[] = []
  let isUnclear = named.size > 1
  let unread: Unread = 'nothing'
  for (const one of names) {
    const { name, isSure, weight } = one
    for (const { args, value } of sets) {
      const isOdd = args === 'no arguments' && !isSure
      if (isOdd && reading === 'plain') continue
      const isMaybe = isOdd || weight === 'maybe' || (weight === 'id' && named.size > 0)
      if (typeof args === 'string' && !isOdd) {
        isUnclear = true
        if (mayHoldArguments(value, one)) unread = graver(unread, mayHoldCalls(value, name) ? 'calls' : 'arguments')
      }
      for (const server of servers) {
        if (calls.length >= most) return { ...NOTHING, calls, isUnclear: true, unread }
        calls.push({ name, server, args: typeof args === 'string' ? {} : args, isMaybe })
      }
    }
  }
  const made = new Set(calls.map(({ name }) => name))
  const callers = names.filter(({ name }) => made.has(name))
  const flat = flatCalls(callers, entries, servers, most, budget)
  const argumentsAt = new Map(read.map(({ key, value, args }) => [key, typeof args === 'string' ? value : args]))
  return { calls, flat, isUnclear, unread, argumentsAt }
}

type Entries = readonly (readonly [key: string, value: Json])[]

/** Each name with the keys beside it, up to `most` and the limit. */
function flatCalls(
  names: readonly Name[],
  entries: Entries,
  servers: readonly (string | null)[],
  most: number,
  budget: ReadLimit,
): readonly NamedCall[] {
  const flat: NamedCall[] = []
  const opened = new Map<Json, JsonObject>()
  const open = (value: Json): JsonObject => {
    const inside = opened.get(value) ?? readArguments(value, budget) ?? {}
    opened.set(value, inside)
    return inside
  }
  for (const { key, name } of names) {
    for (const args of argumentsBeside(key, entries, open)) {
      budget.chargeValues(args, servers.length)
      if (budget.isSpent || flat.length >= most) return flat
      for (const server of servers) flat.push({ name, server, args, isMaybe: true })
    }
  }
  return flat
}

/**
 * The keys beside a name, without servers, arguments and tool names: some tools pass them on as arguments. An `action` or a
 * `name` may be another name or an argument of this one. Objects (`payload`, `options`) are opened: into one set, with
 * another set for each object that repeats a key.
 */
function argumentsBeside(own: string, entries: Entries, open: (value: Json) => JsonObject): readonly JsonObject[] {
  const rest = entries.filter(
    ([key]) => key !== own && !isArgumentKey(key) && !isServerKey(key) && callKey(key) !== 'tool',
  )
  if (rest.length === 0) return []
  const beside = new Map(rest)
  const apart: JsonObject[] = []
  for (const [, value] of rest) {
    const opened = open(value)
    const keys = Object.keys(opened)
    if (keys.some((key) => beside.has(key))) apart.push(opened)
    else for (const key of keys) beside.set(key, opened[key] ?? null)
  }
  return [Object.fromEntries(beside), ...apart]
}

/**
 * Whether an unparsable value may be arguments. Beside an uncertain name, prose and command lines are common
 * (`{ name: 'reviewer', input: 'Look at this' }`) and don't count; beside a certain name they do.
 */
function mayHoldArguments(value: Json, { isSure, weight }: Name): boolean {
  if (value !== null && typeof value === 'object') return Object.keys(value).length > 0
  return (isSure && weight !== 'maybe') || (typeof value === 'string' && /[{[=:"]/.test(value))
}

const NAMES_IN_TEXT = /(?:tool|call|name|method|function|action|invo)\w*["']?\s*[:=]/i

/** Whether an unparsable text has a key that names a tool. */
export function namesCalls(text: string): boolean {
  return NAMES_IN_TEXT.test(text)
}

/** Lists and objects are searched in place; text other than prose may be another batch. */
function mayHoldCalls(value: Json, name: string): boolean {
  return isMetaTool(name, []) || (typeof value === 'string' && (/[{[]/.test(value) || namesCalls(value)))
}

/** The one that may hide more. */
export function graver(one: Unread, other: Unread): Unread {
  return one === 'calls' || other === 'nothing' ? one : other
}

/** Whether a name comes from another key than `id`. */
function isNoId({ key }: Name): boolean {
  return key.toLowerCase() !== 'id'
}

/** A list of names may be the tools to call, or those available. */
function namesAt(key: string, value: Json, reading: Reading, isGiven: boolean): readonly Name[] {
  if (typeof value === 'string') return [nameAt(key, value, reading, isGiven) ?? []].flat()
  if (value === null || typeof value !== 'object') return []
  const kind = callKey(key)
  // `{ tool: { name }, args }`: without `args`, the inner object is a call of its own.
  if (!isArray(value))
    return isGiven && (kind === 'tool' || kind === 'name') ? namesAt(key, nameIn(value), reading, isGiven) : []
  const read = isCallList(key) ? 'tools' : kind === 'tool' || kind === 'maybe' ? key : null
  if (read === null) return []
  return value.flatMap((one): readonly Name[] => {
    const name = typeof one === 'string' ? nameAt(read, one, reading, isGiven) : null
    return name === null ? [] : [{ ...name, weight: 'maybe' }]
  })
}

function nameIn({ name }: JsonObject): Json {
  return typeof name === 'string' ? name : null
}

function nameAt(key: string, value: string, reading: Reading, isGiven: boolean): Name | null {
  const kind = callKey(key)
  const name = value
    .trim()
    .replace(/^functions\./, '')
    .replace(/\(\s*\)$/, '')
  if (kind === null || name.length > 128) return null
  if (kind === 'tool') return /^\S+$/.test(name) ? { key, name, isSure: true, weight: 'name' } : null
  if (!/^[\w.:/-]+$/.test(name)) return null
  if (kind === 'maybe') return { key, name, isSure: true, weight: 'maybe' }
  if (kind === 'id')
    return isGiven && (reading === 'caller' || reading === 'listed') ? { key, name, isSure: false, weight: 'id' } : null
  const isSure = key.toLowerCase() === 'name' && reading !== 'plain'
  return isGiven || isSure ? { key, name, isSure, weight: isGiven || reading === 'caller' ? 'name' : 'maybe' } : null
}

/** Arguments as an object. Models often pass them as JSON text, which is charged before it is parsed. */
function readArguments(value: Json, budget: ReadLimit): JsonObject | null {
  if (typeof value !== 'string') return plainObject(value)
  if (value.trim() === '') return {}
  if (!/^\s*\{/.test(value) || !budget.takesText(value)) return null
  try {
    return plainObject(JSON.parse(value) as Json)
  } catch {
    return null
  }
}

/** A text may be arguments in a form that only the tool can parse; a list or a number is not arguments. */
function notArguments(value: Json): 'unreadable' | 'no arguments' {
  return typeof value === 'string' ? 'unreadable' : 'no arguments'
}

function plainObject(value: Json): JsonObject | null {
  return value !== null && typeof value === 'object' && !isArray(value) ? value : null
}
