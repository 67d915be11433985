import { isArray } from '../call/canonical.ts'
import type { Json, JsonObject } from '../call/json.ts'
import { callKey, isArgumentKey, isServerKey, type Reading } from './call-keys.ts'

/** A call as one object names it. */
export interface NamedCall {
  readonly name: string
  readonly server: string | null
  readonly args: JsonObject
  /** Only a key that may name a tool, or may not, says so. It can raise a call, and says nothing of what else runs. */
  readonly isMaybe: boolean
}

export interface NamedCalls {
  readonly calls: readonly NamedCall[]
  /** The arguments of one cannot be read, or several names stand side by side. */
  readonly isUnclear: boolean
  /** The keys whose values were taken as arguments. */
  readonly argumentKeys: ReadonlySet<string>
}

interface Name {
  readonly name: string
  /** It is a call, arguments or not. */
  readonly isSure: boolean
  /** An `id` is the name where nothing else is. */
  readonly weight: 'name' | 'id' | 'maybe'
}

const NOTHING: NamedCalls = { calls: [], isUnclear: false, argumentKeys: new Set() }

/**
 * The calls that one object names, up to `most`: each of its names with each of its sets of arguments, since nobody knows
 * which of them the tool goes by. Where arguments cannot be read the name still counts: what is denied is denied by name as well.
 */
export function readNamedCalls(object: JsonObject, reading: Reading, most: number): NamedCalls {
  const entries = Object.entries(object)
  const given = entries.filter(([key, value]) => isArgumentKey(key) && value !== null)
  const isGiven = entries.some(([key]) => isArgumentKey(key))
  const names = entries.flatMap(([key, value]) => nameAt(key, value, reading, isGiven) ?? [])
  if (names.length === 0) return NOTHING
  const named = new Set(names.flatMap(({ name, weight }) => (weight === 'name' ? [name] : [])))
  const servers = entries.flatMap(([key, value]) => (isServerKey(key) && typeof value === 'string' ? [value] : []))
  const sets = given.length === 0 ? [{}] : given.map(([, value]) => readArguments(value) ?? unread(value))
  const calls: NamedCall[] = []
  let isUnclear = named.size > 1
  for (const { name, isSure, weight } of names)
    for (const args of sets) {
      if (args === 'no arguments' && !isSure) continue
      if (typeof args === 'string') isUnclear = true
      const isMaybe = weight === 'maybe' || (weight === 'id' && named.size > 0)
      for (const server of servers.length === 0 ? [null] : servers) {
        if (calls.length >= most) return { calls, isUnclear: true, argumentKeys: new Set() }
        calls.push({ name, server, args: typeof args === 'string' ? {} : args, isMaybe })
      }
    }
  return { calls, isUnclear, argumentKeys: new Set(given.map(([key]) => key)) }
}

function nameAt(key: string, value: Json, reading: Reading, isGiven: boolean): Name | null {
  if (typeof value !== 'string') return null
  const kind = callKey(key)
  const name = value.trim().replace(/^functions\./, '')
  if (kind === null || name.length > 128) return null
  if (kind === 'tool') return /^\S+$/.test(name) ? { name, isSure: true, weight: 'name' } : null
  if (!/^[\w.:/-]+$/.test(name)) return null
  if (kind === 'maybe') return { name, isSure: true, weight: 'maybe' }
  if (kind === 'id') return isGiven && reading === 'caller' ? { name, isSure: false, weight: 'id' } : null
  const isSure = key.toLowerCase() === 'name' && reading !== 'plain'
  return isGiven || isSure ? { name, isSure, weight: isGiven || reading === 'caller' ? 'name' : 'maybe' } : null
}

/** Arguments as an object; a text is JSON, as models hand it on. */
export function readArguments(value: Json): JsonObject | null {
  if (typeof value !== 'string') return plainObject(value)
  if (value.trim() === '') return {}
  try {
    return plainObject(JSON.parse(value) as Json)
  } catch {
    return null
  }
}

/** A text may be arguments that only the tool can read; a list or a number is none, unless it is sure that it is a call. */
function unread(value: Json): 'unreadable' | 'no arguments' {
  return typeof value === 'string' ? 'unreadable' : 'no arguments'
}

function plainObject(value: Json): JsonObject | null {
  return value !== null && typeof value === 'object' && !isArray(value) ? value : null
}
