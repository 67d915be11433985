import { canonicalJson, type Json, type JsonObject } from '@countersign/core'

/** One argument as a form holds it: its type never changes by editing, except in the JSON of the whole. */
export interface ArgumentField {
  readonly name: string
  readonly kind: 'text' | 'number' | 'boolean' | 'json'
  readonly text: string
}

/** What a form holds, read back; or what is wrong with a field. */
export type ReadArguments =
  | { readonly kind: 'read'; readonly args: JsonObject }
  | { readonly kind: 'wrong'; readonly name: string; readonly message: string }

/** The fields of a form for these arguments. */
export function fieldsOf(args: JsonObject): readonly ArgumentField[] {
  return Object.entries(args).map(([name, value = null]) => {
    if (typeof value === 'string') return { name, kind: 'text', text: value }
    if (typeof value === 'number') return { name, kind: 'number', text: String(value) }
    if (typeof value === 'boolean') return { name, kind: 'boolean', text: String(value) }
    return { name, kind: 'json', text: JSON.stringify(value, null, 2) }
  })
}

/** The arguments that fields stand for. */
export function readFields(fields: readonly ArgumentField[]): ReadArguments {
  const args: Record<string, Json> = {}
  for (const { name, kind, text } of fields) {
    if (kind === 'text') args[name] = text
    else if (kind === 'boolean') args[name] = text === 'true'
    else if (kind === 'number') {
      const value = Number(text)
      if (text.trim() === '' || !Number.isFinite(value)) return { kind: 'wrong', name, message: 'not a number' }
      args[name] = value
    } else {
      try {
        args[name] = JSON.parse(text) as Json
      } catch {
        return { kind: 'wrong', name, message: 'not JSON' }
      }
    }
  }
  return { kind: 'read', args }
}

/** The arguments of the JSON fallback. */
export function readJson(text: string): ReadArguments {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { kind: 'read', args: value as JsonObject }
    return { kind: 'wrong', name: 'JSON', message: 'an object was expected' }
  } catch {
    return { kind: 'wrong', name: 'JSON', message: 'not JSON' }
  }
}

/** Whether two sets of arguments are the same call. */
export function sameArguments(one: JsonObject, other: JsonObject): boolean {
  return canonicalJson(one) === canonicalJson(other)
}
