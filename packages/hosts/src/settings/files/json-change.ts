import { CountersignError, isJsonObject, type Json, type JsonObject } from '@countersign/core'
import { isSameData } from '../../answer/host-call.ts'
import { insertInto, removeAt, replaceAt } from './json-edit.ts'
import { type JsonPath, type JsonText, readJson, valueAt } from './json-text.ts'

/** One change of a settings file, by what it means. */
export type JsonChange =
  /** A new item at the end of a list. Missing lists and objects on the way are created. */
  | { readonly kind: 'append'; readonly path: JsonPath; readonly value: Json }
  /** A member of an object, new or with another value. */
  | { readonly kind: 'set'; readonly path: JsonPath; readonly value: Json }
  | { readonly kind: 'remove'; readonly path: JsonPath }

/**
 * The text after a change. INVARIANT: it parses to exactly the changed data, so that nothing else of the file is lost; otherwise
 * CS_CLIENT_CONFIG.
 */
export function changeJson(file: JsonText, change: JsonChange, name: string, dialect: 'json' | 'jsonc'): JsonText {
  const after = readJson(changeText(file, change, name), dialect)
  if (typeof after !== 'string' && isSameData(after.data, changeData(file.data, change))) return after
  throw new CountersignError(
    'CS_CLIENT_CONFIG',
    `\`${name}\` was not changed: it can't be edited safely; add the hooks by hand`,
  )
}

function changeText(file: JsonText, change: JsonChange, name: string): string {
  const { path } = change
  if (change.kind === 'remove') return removeAt(file, path)
  if (change.kind === 'set' && valueAt(file.data, path) !== undefined) return replaceAt(file, path, change.value)
  const [container, missing] = deepestOf(file.data, path, name)
  const [first, ...rest] = change.kind === 'append' ? [...missing, 0] : missing
  const value = rest.toReversed().reduce<Json>((inner, step) => wrapped(step, inner), change.value)
  return insertInto(file, container, typeof first === 'string' ? first : null, value)
}

function wrapped(step: string | number, inner: Json): Json {
  return typeof step === 'number' ? [inner] : { [step]: inner }
}

/** The part of a path that exists, and the rest. For `append`, the list itself may be missing. */
function deepestOf(data: JsonObject, path: JsonPath, name: string): readonly [JsonPath, JsonPath] {
  for (let length = path.length; length >= 0; length--) {
    const start = path.slice(0, length)
    const value = valueAt(data, start)
    if (value === undefined) continue
    const isList = length === path.length
    if (isList ? Array.isArray(value) : isJsonObject(value)) return [start, path.slice(length)]
    const what = isList ? 'a list' : 'an object'
    throw new CountersignError(
      'CS_CLIENT_CONFIG',
      `\`${name}\` was not changed: \`${start.join('.')}\` is not ${what}; fix it first`,
    )
  }
  return [[], path]
}

/** The same change of parsed data. */
function changeData(data: Json | undefined, change: JsonChange, at = 0): Json {
  const step = change.path[at]
  if (step === undefined) {
    if (change.kind === 'append') return [...(Array.isArray(data) ? (data as readonly Json[]) : []), change.value]
    return change.kind === 'set' ? change.value : (data ?? null)
  }
  const isLast = change.kind === 'remove' && at === change.path.length - 1
  if (typeof step === 'number') {
    const list = Array.isArray(data) ? (data as readonly Json[]) : []
    if (isLast) return list.filter((_, index) => index !== step)
    return list.map((item, index) => (index === step ? changeData(item, change, at + 1) : item))
  }
  const object = isJsonObject(data) ? data : {}
  if (isLast) return Object.fromEntries(Object.entries(object).filter(([key]) => key !== step))
  return { ...object, [step]: changeData(Object.hasOwn(object, step) ? object[step] : undefined, change, at + 1) }
}
