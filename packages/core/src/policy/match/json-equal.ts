import type { Json } from '../../call/json/json.ts'

/** Equality of JSON data: the order of an object's keys says nothing. */
export function isJsonEqual(a: Json, b: Json): boolean {
  if (a === b) return true
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object') return false
  if (isArray(a)) {
    return isArray(b) && a.length === b.length && a.every((one, at) => isJsonEqual(one, b[at] ?? null))
  }
  if (isArray(b)) return false
  const keys = Object.keys(a)
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && isJsonEqual(a[key] ?? null, b[key] ?? null))
  )
}

function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
