import { isArray } from '../../call/json/canonical.ts'
import type { Json, JsonObject } from '../../call/json/json.ts'
import { callKey, isArgumentKey, isCallList, isMetaTool, isServerKey, type Reading } from './call-keys.ts'
import type { InnerBudget } from './read-limit.ts'

/** A call as one object names it. */
export interface NamedCall {
  readonly name: string
  readonly server: string | null
  readonly args: JsonObject
  /** Only a key that may name a tool, or may not, says so. It can raise a call, and says nothing of what else runs. */
  readonly isMaybe: boolean
}

/**
 * What of a named tool cannot be read: its `arguments`, so that no rule on them can be ruled out, or `calls` that may stand
 * in them.
 */
export type Unread = 'nothing' | 'arguments' | 'calls'

export interface NamedCalls {
  readonly calls: readonly NamedCall[]
  /** Each name with what else stands beside it, which may be its arguments: `{ tool, database }`. */
  readonly flat: readonly NamedCall[]
  /** The arguments of one cannot be read, or several names stand side by side. */
  readonly isUnclear: boolean
  readonly unread: Unread
  /** The keys whose values were taken as arguments, with these as they were read. */
  readonly argumentsAt: ReadonlyMap<string, Json>
}

interface Name {
  readonly key: string
  readonly name: string
  /** It is a call, arguments or not. */
  readonly isSure: boolean
  /** An `id` is the name where nothing else is. */
  readonly weight: 'name' | 'id' | 'maybe'
}

const NOTHING: NamedCalls = { calls: [], flat: [], isUnclear: false, unread: 'nothing', argumentsAt: new Map() }

/**
 * The calls that one object names, up to `most`: each of its names with each of its sets of arguments, since nobody knows
 * which of them the tool goes by. Where arguments cannot be read the name still counts: what is denied is denied by name as well.
 */
export function readNamedCalls(object: JsonObject, reading: Reading, most: number, budget: InnerBudget): NamedCalls {
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

/** Each name with what stands beside it, up to `most`, and no more than there is room to rate. */
function flatCalls(
  names: readonly Name[],
  entries: Entries,
  servers: readonly (string | null)[],
  most: number,
  budget: InnerBudget,
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
 * What stands beside a name, without servers, arguments and names of tools: some tools hand that on as arguments. An
 * `action` or a `name` may be another name as well as an argument of this one. Objects there (`payload`, `options`) are
 * opened: one set with what is in them, and one more for each that has a key of another.
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
 * Whether what could not be read may be arguments. Prose and words of a command line are everyday beside what may be no
 * name of a tool (`{ name: 'reviewer', input: 'Look at this' }`); beside a tool that is surely named they count.
 */
function mayHoldArguments(value: Json, { isSure, weight }: Name): boolean {
  if (value !== null && typeof value === 'object') return Object.keys(value).length > 0
  return (isSure && weight !== 'maybe') || (typeof value === 'string' && /[{[=:"]/.test(value))
}

const NAMES_IN_TEXT = /(?:tool|call|name|method|function|action|invo)\w*["']?\s*[:=]/i

/** Whether a text that cannot be read has a key that names a tool. */
export function namesCalls(text: string): boolean {
  return NAMES_IN_TEXT.test(text)
}

/** Lists and objects are looked through where they stand; a text that is no prose may be what another batch is made of. */
function mayHoldCalls(value: Json, name: string): boolean {
  return isMetaTool(name, []) || (typeof value === 'string' && (/[{[]/.test(value) || namesCalls(value)))
}

/** The one of which more can be missing. */
export function graver(one: Unread, other: Unread): Unread {
  return one === 'calls' || other === 'nothing' ? one : other
}

/** Not the id of a call, beside its name. */
function isNoId({ key }: Name): boolean {
  return key.toLowerCase() !== 'id'
}

/** A list of names only may be what is called; it may as well be what is on offer. */
function namesAt(key: string, value: Json, reading: Reading, isGiven: boolean): readonly Name[] {
  if (typeof value === 'string') return [nameAt(key, value, reading, isGiven) ?? []].flat()
  if (value === null || typeof value !== 'object') return []
  const kind = callKey(key)
  // `{ tool: { name }, args }`: without these arguments it is a call of its own.
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

/** Arguments as an object; a text is JSON, as models hand it on, and paid for before it is parsed. */
function readArguments(value: Json, budget: InnerBudget): JsonObject | null {
  if (typeof value !== 'string') return plainObject(value)
  if (value.trim() === '') return {}
  if (!/^\s*\{/.test(value) || !budget.takesText(value)) return null
  try {
    return plainObject(JSON.parse(value) as Json)
  } catch {
    return null
  }
}

/** A text may be arguments that only the tool can read; a list or a number is none, unless it is sure that it is a call. */
function notArguments(value: Json): 'unreadable' | 'no arguments' {
  return typeof value === 'string' ? 'unreadable' : 'no arguments'
}

function plainObject(value: Json): JsonObject | null {
  return value !== null && typeof value === 'object' && !isArray(value) ? value : null
}
