import type { Json, JsonObject } from '@countersign/core'

/** A text among a call’s arguments that may hold a secret. */
export interface Argument {
  /** Where it stands: `env.TOKEN`, `argv`. */
  readonly name: string
  readonly text: string
  /** How much of `text` stands before the argument itself. */
  readonly offset: number
}

/** A short value is also read together with its name, as it would stand in a file. */
const MAX_NAMED = 1024

/**
 * Every text of the arguments, as a tool would read it: each string by itself, decoded where it is an address, short
 * ones with the name they stand under, and lists of words as one line.
 */
export function* argumentTexts(args: JsonObject): Generator<Argument> {
  const ahead: (readonly [name: string, key: string, value: Json])[] = Object.entries(args).map(([key, value]) => [
    key,
    key,
    value as Json,
  ])
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    const [name, key, value] = next
    if (typeof value === 'string') yield* textsOf(name, key, value)
    else if (Array.isArray(value)) {
      if (value.length > 1 && value.every((item) => typeof item === 'string' && item.length <= MAX_NAMED))
        yield { name, text: value.join(' '), offset: 0 }
      for (const [index, item] of value.entries()) ahead.push([`${name}[${index}]`, key, item as Json])
    } else if (value !== null && typeof value === 'object') {
      for (const [inner, item] of Object.entries(value)) ahead.push([`${name}.${inner}`, inner, item as Json])
    }
  }
}

function* textsOf(name: string, key: string, value: string): Generator<Argument> {
  if (value.length < 6) return
  const isPlain = value.length <= MAX_NAMED && !/["\n\\]/.test(value)
  // Its name tells what a short value is: `password: "…"`.
  if (isPlain) yield { name, text: `${key}="${value}"`, offset: key.length + 2 }
  else yield { name, text: value, offset: 0 }
  const decoded = /%[0-9A-Fa-f]{2}/.test(value) ? decode(value) : value
  if (decoded !== value) yield { name, text: decoded, offset: 0 }
}

function decode(value: string): string {
  return value.replace(/(?:%[0-9A-Fa-f]{2})+/g, (escaped) => {
    try {
      return decodeURIComponent(escaped)
    } catch {
      return escaped
    }
  })
}
