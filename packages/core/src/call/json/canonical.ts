import { CountersignError } from '../../errors.ts'
import type { Json } from './json.ts'

/** Frozen arguments are at most 64 levels deep; the data around them adds a few. */
const MAX_DEPTH = 128

const NEEDS_ESCAPE = /[\u0000-\u001f"\\\ud800-\udfff]/

/**
 * Canonical JSON by RFC 8785: keys in order of UTF-16 code units, ECMAScript numbers, shortest escapes, no blanks.
 * Equal data gives equal text, whatever order it was written in.
 *
 * A lone surrogate, which RFC 8785 leaves to the caller, is written as its `\udxxx` escape: it never reaches a call
 * (`freezeArgs` refuses it), and a journal entry that quotes a broken message can still be written.
 */
export function canonicalJson(value: Json): string {
  return write(value, 0)
}

function write(value: Json, depth: number): string {
  switch (typeof value) {
    case 'string':
      return canonicalString(value)
    case 'number':
      if (Number.isFinite(value)) return value === 0 ? '0' : String(value)
      throw notJson(String(value))
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      break
    default:
      throw notJson(typeof value)
  }
  if (value === null) return 'null'
  if (depth >= MAX_DEPTH) {
    throw new CountersignError(
      'CS_CALL_TOO_DEEP',
      `data nested deeper than ${MAX_DEPTH} levels has no canonical form; flatten it`,
    )
  }
  if (isArray(value)) {
    let text = '['
    for (let i = 0; i < value.length; i++) {
      const item = value[i]
      if (item === undefined) throw notJson('undefined')
      text += i === 0 ? write(item, depth + 1) : `,${write(item, depth + 1)}`
    }
    return `${text}]`
  }
  let text = '{'
  for (const key of sortedKeys(value)) {
    const item = value[key]
    if (item === undefined) continue
    text += `${text === '{' ? '' : ','}${canonicalKey(key)}${write(item, depth + 1)}`
  }
  return `${text}}`
}

/** Keys in canonical order: the default comparison of strings in ECMAScript is the one RFC 8785 asks for. */
export function sortedKeys(value: object): readonly string[] {
  const keys = Object.keys(value)
  let before = ''
  for (const key of keys) {
    if (key < before) return keys.length > FEW ? keys.sort() : sortFew(keys)
    before = key
  }
  return keys
}

const FEW = 16

/** Insertion sort: for the few keys of most objects several times faster than `sort`. */
function sortFew(keys: string[]): string[] {
  for (let at = 1; at < keys.length; at++) {
    const key = keys[at] as string
    let to = at
    for (; to > 0 && (keys[to - 1] as string) > key; to--) keys[to] = keys[to - 1] as string
    keys[to] = key
  }
  return keys
}

const MAX_REMEMBERED = 1000
const written = new Map<string, string>()

/** A key with its colon. Cached, since the same few recur; the bounds keep a flood of other keys out. */
export function canonicalKey(key: string): string {
  const known = written.get(key)
  if (known !== undefined) return known
  const made = `${canonicalString(key)}:`
  if (key.length <= 64) {
    if (written.size >= MAX_REMEMBERED) written.clear()
    written.set(key, made)
  }
  return made
}

function canonicalString(text: string): string {
  return NEEDS_ESCAPE.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** `Array.isArray` does not narrow readonly arrays. */
export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}

function notJson(what: string): CountersignError {
  return new CountersignError('CS_CALL_ARGS', `${what} has no canonical JSON form; pass plain JSON data`)
}
