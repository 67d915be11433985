import {
  CountersignError,
  isJsonObject,
  type Json,
  type JsonObject,
  parseStrict,
  StrictJsonError,
  safeText,
} from '@countersign/core'

/** Reads an event's fields, with bounds. Throws CS_HOST_EVENT for anything that the agent is not known to send. */
export interface EventFields {
  /** A short text: an id, or the name of an event or a tool. */
  label(key: string): string
  /** The same; null if the field is missing or null. */
  optionalLabel(key: string): string | null
  /** An absolute path; null if the field is missing or null. */
  optionalPath(key: string): string | null
  /** The first path of a list; null if there is none. */
  firstPath(key: string): string | null
  /** A text of any length. */
  text(key: string): string
  /** The same; null if the field is missing or null. */
  optionalText(key: string): string | null
  /** A tool's arguments. */
  args(key: string): JsonObject
  /** The same, or the JSON text of them. */
  argsOrText(key: string): JsonObject
  object(key: string): EventFields
  /** The same; null if the field is missing or null. */
  optionalObject(key: string): EventFields | null
  /** The field as it is; undefined if it is missing. */
  value(key: string): unknown
}

/** INVARIANT: L10, the longest id or name. */
const MOST_LABEL = 512
const MOST_PATH = 4096
const MOST_SHOWN = 60
const MOST_DEPTH = 200

/**
 * Parses the text of an event. Throws CS_HOST_EVENT. SECURITY: A6 of a key that appears twice, the agent could run the value that was not
 * judged.
 */
export function parseEvent(text: string): Json {
  try {
    return parseStrict(text, MOST_DEPTH)
  } catch (error) {
    const isClear = error instanceof StrictJsonError && error.code !== 'parse'
    const what = isClear ? `can’t be judged: ${safeText(error.message)}` : 'is not JSON'
    throw new CountersignError('CS_HOST_EVENT', `the event on stdin ${what}; update the agent or Countersign`)
  }
}

/** The fields of an event, or of an object in it. `title` is the agent's name for messages. */
export function eventFields(payload: unknown, title: string): EventFields {
  if (!isJsonObject(payload)) throw unusable(title, 'that is not a JSON object')
  const value = (key: string): unknown => (Object.hasOwn(payload, key) ? payload[key] : undefined)
  const optional = <T>(key: string, read: (key: string) => T): T | null =>
    value(key) === undefined || value(key) === null ? null : read(key)
  const required = <T>(key: string, found: T | undefined): T => {
    if (found === undefined) throw unusable(title, `without a usable \`${key}\``)
    return found
  }
  const label = (key: string): string => required(key, labelOf(value(key)))
  const text = (key: string): string => required(key, textOf(value(key)))
  const object = (key: string): EventFields => {
    const inner = value(key)
    return eventFields(required(key, isJsonObject(inner) ? inner : undefined), title)
  }
  return {
    value,
    label,
    object,
    optionalLabel: (key) => optional(key, label),
    optionalPath: (key) => optional(key, () => required(key, pathOf(value(key)))),
    firstPath: (key) => {
      const [first] = listOf(value(key))
      return first === undefined ? null : required(key, pathOf(first))
    },
    text,
    optionalText: (key) => optional(key, text),
    optionalObject: (key) => optional(key, object),
    args: (key) => required(key, argsOf(value(key))),
    argsOrText: (key) => required(key, argsOf(parsed(value(key)))),
  }
}

/** The event's name, which must be the one on the hook's command line. */
export function sameEvent(named: string, event: string | undefined, title: string): string {
  if (event === undefined || event === named) return named
  throw unusable(title, `\`${shown(named)}\` to its hook for \`${shown(event)}\``)
}

/** The error for an event that the agent is not known to send. */
export function unknownEvent(name: string | undefined, title: string): CountersignError {
  return unusable(title, name === undefined ? 'without a name' : `named \`${shown(name)}\`, which is unknown`)
}

function unusable(title: string, what: string): CountersignError {
  return new CountersignError('CS_HOST_EVENT', `${title} sent an event ${what}; run \`countersign doctor --hosts\``)
}

function shown(name: string): string {
  return safeText(name.slice(0, MOST_SHOWN))
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

function labelOf(value: unknown): string | undefined {
  const isLabel = typeof value === 'string' && value.length > 0 && value.length <= MOST_LABEL && value.isWellFormed()
  return isLabel && !/\p{Cc}/u.test(value) ? value : undefined
}

function pathOf(value: unknown): string | undefined {
  const isPath = typeof value === 'string' && value.startsWith('/') && value.length <= MOST_PATH && value.isWellFormed()
  return isPath && !value.includes('\0') ? value : undefined
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function argsOf(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  try {
    return parseEvent(value)
  } catch {
    return undefined
  }
}
