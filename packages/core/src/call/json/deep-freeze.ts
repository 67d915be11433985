/**
 * Freezes plain data through and through, in place, so that whoever is handed it can read but not move it. What is no
 * plain object or array (a Map, bytes, a function) is left as it is, and so is `except` with all it holds.
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
