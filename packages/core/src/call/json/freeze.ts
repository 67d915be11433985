import { CountersignError, type ErrorCode } from '../../errors.ts'
import type { Json, JsonObject } from './json.ts'
import { jsonPath } from './path.ts'

export const MAX_ARGS_BYTES = 1024 * 1024
const MAX_ARGS_DEPTH = 64
/** Each value is read several times; more would make other callers of a service wait. */
export const MAX_ARGS_NODES = 10_000

/**
 * Copies arguments once into deep-frozen plain JSON. Everything after works on the copy: it is judged, shown, hashed
 * and run, so changing the original, an accessor or a proxy that answers differently next time has no effect.
 *
 * - Each property is read exactly once, by its descriptor; accessors are refused, never called.
 * - Objects of the copy inherit nothing: a missing argument is `undefined`, whatever its name.
 *   `JSON.stringify`, `structuredClone` and `canonicalJson` treat them as ordinary objects.
 * - `-0` becomes `0`; a property whose value is `undefined` is left out, as JSON does. In an array it is refused.
 * - `maxBytes` is the size of the canonical JSON, counted while copying: a huge argument is refused early.
 */
export function freezeArgs(value: unknown, maxBytes: number = MAX_ARGS_BYTES): JsonObject {
  const copy = freezeJson(value, { root: 'args', maxBytes })
  if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return copy as JsonObject
  throw refusal({
    code: 'CS_CALL_ARGS',
    what: copy === null ? 'null' : Array.isArray(copy) ? 'an array' : `a ${typeof copy}`,
    path: 'args',
  })
}

export interface FreezeOptions {
  /** How messages name the value. */
  readonly root: string
  readonly maxBytes: number
  /** For data that is only hashed (a tool's definition): any finite number and any key is allowed. */
  readonly onlyHashed?: boolean
}

/** Copies any JSON value as `freezeArgs` does. */
export function freezeJson(value: unknown, options: FreezeOptions): Json {
  const state: State = { ...options, bytes: 0, nodes: 0, path: [], above: [] }
  try {
    return copyValue(value, state)
  } catch (error) {
    throw refusal(problemOf(error, state))
  }
}

interface Problem {
  readonly code: ErrorCode
  readonly what: string
  readonly path: string
}

interface State extends FreezeOptions {
  bytes: number
  nodes: number
  /** Keys from the root to the value being copied. */
  readonly path: (string | number)[]
  /** The objects on the way there, to tell a cycle from a value used twice. */
  readonly above: object[]
}

/** Thrown inside this file only; the state knows the path. */
class Unfreezable {
  readonly code: ErrorCode
  readonly what: string
  constructor(code: ErrorCode, what: string) {
    this.code = code
    this.what = what
  }
}

const HINTS: { readonly [code in ErrorCode]?: string } = {
  CS_CALL_ARGS: 'pass plain JSON data',
  CS_CALL_TOO_DEEP: 'flatten the arguments',
  CS_CALL_TOO_LARGE: 'pass less, or name a file instead of its content',
}

function refusal({ code, what, path }: Problem): CountersignError {
  return new CountersignError(code, `there is ${what} at \`${path}\`; ${HINTS[code] ?? 'pass plain JSON data'}`)
}

function problemOf(error: unknown, state: State): Problem {
  const path = jsonPath(state.root, state.path)
  if (error instanceof Unfreezable) return { code: error.code, what: error.what, path }
  // A proxy trap or a stack overflow: what cannot be read is not JSON.
  return { code: 'CS_CALL_ARGS', what: 'a value that cannot be read', path }
}

function fail(what: string, code: ErrorCode = 'CS_CALL_ARGS'): never {
  throw new Unfreezable(code, what)
}

function copyValue(value: unknown, state: State): Json {
  if (++state.nodes > MAX_ARGS_NODES) fail(`more than ${MAX_ARGS_NODES} values`, 'CS_CALL_TOO_LARGE')
  switch (typeof value) {
    case 'string':
      countString(value, state)
      return value
    case 'number': {
      if (!Number.isFinite(value)) fail(`${value}, which JSON does not have`)
      if (Number.isInteger(value) && !Number.isSafeInteger(value) && state.onlyHashed !== true) {
        fail('an integer beyond 2^53 - 1, which does not survive as a number')
      }
      const normal = value === 0 ? 0 : value
      count(Number.isInteger(normal) && normal >= 0 && normal < 10 ? 1 : String(normal).length, state)
      return normal
    }
    case 'boolean':
      count(value ? 4 : 5, state)
      return value
    case 'object':
      if (value !== null) return copyObject(value, state)
      count(4, state)
      return null
    case 'undefined':
      return fail('undefined')
    default:
      return fail(`a ${typeof value}`)
  }
}

function copyObject(value: object, state: State): Json {
  if (state.above.includes(value)) fail('a cycle')
  if (state.above.length >= MAX_ARGS_DEPTH) fail(`more than ${MAX_ARGS_DEPTH} levels of nesting`, 'CS_CALL_TOO_DEEP')
  state.above.push(value)
  const copy = Array.isArray(value) ? copyArray(value, state) : copyFields(value, state)
  state.above.pop()
  return copy
}

function copyArray(value: readonly unknown[], state: State): Json {
  if (!Array.isArray(Object.getPrototypeOf(value))) fail('an instance of a class')
  const length: unknown = Object.getOwnPropertyDescriptor(value, 'length')?.value
  if (typeof length !== 'number') return fail('an array without a length')
  if (length > MAX_ARGS_NODES) fail(`an array of more than ${MAX_ARGS_NODES} values`, 'CS_CALL_TOO_LARGE')
  count(length === 0 ? 2 : length + 1, state)
  const copy: Json[] = []
  for (let i = 0; i < length; i++) {
    state.path.push(i)
    const found = Object.getOwnPropertyDescriptor(value, i)
    if (found === undefined) return fail('a hole in an array')
    copy.push(copyValue(dataOf(found), state))
    state.path.pop()
  }
  if (Reflect.ownKeys(value).length !== length + 1) fail('an array with named properties')
  return Object.freeze(copy)
}

/**
 * SECURITY: A26. Objects of the copy have an empty prototype, so nothing is inherited. A constructor with that prototype
 * keeps them as fast as literals, which `Object.create(null)` is not.
 */
const Bare = function Bare() {} as unknown as new () => { [key: string]: Json }
Bare.prototype = Object.freeze(Object.create(null))

function copyFields(value: object, state: State): Json {
  if (!isPlain(value)) fail('an instance of a class')
  const copy = new Bare()
  let fields = 0
  for (const key of Reflect.ownKeys(value)) {
    if (typeof key === 'symbol') return fail('an object with a symbol key')
    state.path.push(key)
    const found = Object.getOwnPropertyDescriptor(value, key)
    if (found === undefined) return fail('a property that is not there')
    const data = dataOf(found)
    if (data !== undefined) {
      if ((key === '__proto__' || key === 'constructor' || key === 'prototype') && state.onlyHashed !== true)
        fail('a forbidden key')
      countString(key, state)
      fields++
      copy[key] = copyValue(data, state)
    }
    state.path.pop()
  }
  count(fields === 0 ? 2 : 2 * fields + 1, state)
  return Object.freeze(copy)
}

/** INVARIANT: A6, an accessor is refused and never called. */
function dataOf(found: PropertyDescriptor): unknown {
  if (found.get !== undefined || found.set !== undefined) fail('an accessor')
  if (found.enumerable !== true) fail('a hidden property')
  return found.value
}

/** Literals, `JSON.parse` results of any realm, objects without a prototype, and frozen copies. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype === Object.prototype || prototype === null || prototype === Bare.prototype) return true
  return (
    typeof prototype === 'object' &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype as object, 'isPrototypeOf')
  )
}

function count(bytes: number, state: State): void {
  state.bytes += bytes
  if (state.bytes > state.maxBytes) fail(`more than the cap of ${state.maxBytes} bytes`, 'CS_CALL_TOO_LARGE')
}

/** Adds the bytes of the string in canonical JSON, and refuses lone surrogates. */
function countString(text: string, state: State): void {
  if (text.length > state.maxBytes - state.bytes) count(text.length + 2, state)
  if (!text.isWellFormed()) fail('text with half a surrogate pair')
  let bytes = text.length + 2
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 0x7f) bytes += unit < 0x800 ? 1 : unit >= 0xd800 && unit <= 0xdfff ? 1 : 2
    else if (unit === 0x22 || unit === 0x5c) bytes += 1
    else if (unit < 0x20) bytes += unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13 ? 1 : 5
  }
  count(bytes, state)
}

/**
 * Freezes plain data deeply and in place. Anything but plain objects and arrays (a Map, bytes, a function) stays as it
 * is, and so does `except` with its content.
 */
export function deepFreeze<T>(value: T, except?: object): T {
  const rest: unknown[] = [value]
  for (let next = rest.pop(); next !== undefined || rest.length > 0; next = rest.pop()) {
    if (typeof next !== 'object' || next === null || next === except) continue
    if (Object.isFrozen(next) || !isPlainData(next)) continue
    Object.freeze(next)
    for (const inner of Object.values(next)) if (typeof inner === 'object') rest.push(inner)
  }
  return value
}

function isPlainData(value: object): boolean {
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
