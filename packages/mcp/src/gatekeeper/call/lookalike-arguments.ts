import type { Json, JsonObject } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import { fold } from '../../json/member-scanner.ts'

/**
 * A reason when the name of an argument could mean one thing to the gate and another to the server; null otherwise.
 * SECURITY: A1, A6 a rule reads `database`; a server that ignores case also takes `Database`, and the last one wins.
 * Refused are a name that is almost one of the tool’s own; two names that differ only in case where the tool has names
 * (outermost, in the arguments of a nested call, and everywhere when its schema has none); and NUL in any name. A map
 * with the caller’s keys (headers, variables) may hold both `path` and `PATH`.
 */
export function lookalikeArgument(args: Json | undefined, definition: Json): string | null {
  if (!isJsonObject(args)) return null
  const level = argumentLevel(definition)
  return checkObject(args, level, { isStrict: true, isAllStrict: !level.hasNames })
}

interface Strictness {
  /** Whether names must differ in more than case. */
  readonly isStrict: boolean
  /** The schema is empty, so maps cannot be told apart. */
  readonly isAllStrict: boolean
}

/** Names under which a nested call has its arguments. */
const INNER: ReadonlySet<string> = new Set(
  'arguments args parameters params input tool_input toolInput tool_args toolArgs'.split(' '),
)

/** INVARIANT: L10, no deeper than a parsed call. */
function checkObject(object: JsonObject, level: ArgumentLevel, how: Strictness): string | null {
  let seen: Set<string> | null = null
  for (const name of Object.keys(object)) {
    if (!level.isNamed(name)) {
      if (name.includes('\0')) return `${shown(name)} contains a NUL character; leave it out`
      const meant = level.lookalikeOf(name)
      if (meant !== undefined) return `${shown(name)} looks like ${shown(meant)}; spell it as the tool does`
      if (how.isStrict) {
        const plain = normalized(name)
        seen ??= new Set()
        if (seen.has(plain)) return `${shown(name)} also appears in another case; leave one of them out`
        seen.add(plain)
      }
    }
    const value = object[name]
    if (typeof value !== 'object' || value === null) continue
    const inner = level.inside(name)
    const isStrict = how.isAllStrict || inner.hasNames || INNER.has(name)
    const found = checkValue(value as Json, inner, { ...how, isStrict })
    if (found !== null) return found
  }
  return null
}

function checkValue(value: Json, level: ArgumentLevel, how: Strictness): string | null {
  if (isJsonObject(value)) return checkObject(value, level, how)
  if (!Array.isArray(value)) return null
  const items = level.items()
  const isStrict = how.isStrict || items.hasNames
  for (const item of value as readonly Json[]) {
    const found = typeof item === 'object' && item !== null ? checkValue(item, items, { ...how, isStrict }) : null
    if (found !== null) return found
  }
  return null
}

const LONGEST_SHOWN = 64

function shown(name: string): string {
  return `\`${JSON.stringify(name.slice(0, LONGEST_SHOWN)).slice(1, -1)}\``
}

/** One level of the arguments, as the tool’s schema describes it. */
interface ArgumentLevel {
  /** Whether the schema defines names here. */
  readonly hasNames: boolean
  isNamed(name: string): boolean
  /** The schema’s name that some parsers take this one for; undefined when there is none. */
  lookalikeOf(name: string): string | undefined
  inside(name: string): ArgumentLevel
  items(): ArgumentLevel
}

/** INVARIANT: L10, the limit of alternatives per level. */
const MAX_SCHEMAS = 64

/** The outermost level of a tool’s arguments. Its cache lives for one call. */
function argumentLevel(definition: Json): ArgumentLevel {
  const schema = isJsonObject(definition) ? definition['inputSchema'] : undefined
  if (!isJsonObject(schema)) return levelOf([], {})
  let all = outermost.get(schema)
  if (all === undefined) {
    all = alternatives([schema], schema)
    outermost.set(schema, all)
  }
  return levelOf(all, schema)
}

const outermost = new WeakMap<JsonObject, readonly JsonObject[]>()
const foldedNames = new WeakMap<JsonObject, ReadonlyMap<string, string>>()

function levelOf(all: readonly JsonObject[], root: JsonObject): ArgumentLevel {
  const properties = all.map((one) => one['properties']).filter(isJsonObject)
  const below = new Map<string | null, ArgumentLevel>()
  let items: ArgumentLevel | undefined
  const isNamed = (name: string): boolean => properties.some((one) => Object.hasOwn(one, name))
  return {
    hasNames: properties.some((one) => Object.keys(one).length > 0),
    isNamed,
    lookalikeOf(name) {
      if (properties.length === 0) return undefined
      const folded = foldedLoosely(name)
      for (const one of properties) {
        const found = namesOf(one).get(folded)
        if (found !== undefined) return found
      }
      return undefined
    },
    inside(name) {
      const key = isNamed(name) ? name : null
      let level = below.get(key)
      if (level === undefined) {
        const schemas =
          key === null
            ? all.flatMap((one) => childrenOf(one, REST))
            : properties.flatMap((one) => (Object.hasOwn(one, key) ? [one[key] ?? null] : []))
        level = levelOf(alternatives(schemas, root), root)
        below.set(key, level)
      }
      return level
    },
    items() {
      items ??= levelOf(
        alternatives(
          all.flatMap((one) => childrenOf(one, ITEMS)),
          root,
        ),
        root,
      )
      return items
    },
  }
}

function namesOf(properties: JsonObject): ReadonlyMap<string, string> {
  let names = foldedNames.get(properties)
  if (names === undefined) {
    names = new Map(Object.keys(properties).map((name) => [foldedLoosely(name), name]))
    foldedNames.set(properties, names)
  }
  return names
}

const REST = ['patternProperties', 'additionalProperties', 'unevaluatedProperties'] as const
const ITEMS = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'] as const
/** Keywords that apply to the same level. */
const SAME = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'] as const
const REFERENCES = ['$ref', '$dynamicRef'] as const
const OF_MANY: ReadonlySet<string> = new Set(['patternProperties', 'dependentSchemas'])

/** All schemas that may describe one level: alternatives, parts, and references. */
function alternatives(schemas: readonly Json[], root: JsonObject): readonly JsonObject[] {
  const found = new Set<JsonObject>()
  const left = [...schemas]
  for (let at = 0; at < left.length && found.size < MAX_SCHEMAS; at += 1) {
    const next = left[at]
    if (!isJsonObject(next) || found.has(next)) continue
    found.add(next)
    left.push(...childrenOf(next, SAME))
    for (const word of REFERENCES) {
      const pointer = next[word]
      if (typeof pointer === 'string') left.push(resolvePointer(pointer, root) ?? null)
    }
  }
  return [...found]
}

function childrenOf(schema: JsonObject, words: readonly string[]): readonly Json[] {
  const children: Json[] = []
  for (const word of words) {
    const value = schema[word]
    if (value === undefined) continue
    if (Array.isArray(value)) children.push(...(value as readonly Json[]).slice(0, MAX_SCHEMAS))
    else if (OF_MANY.has(word) && isJsonObject(value)) children.push(...Object.values(value).slice(0, MAX_SCHEMAS))
    else children.push(value)
  }
  return children
}

const LONGEST_POINTER = 1024

/** Follows a pointer into the same schema; others are ignored. */
function resolvePointer(pointer: string, root: JsonObject): Json | undefined {
  if (!pointer.startsWith('#') || pointer.length > LONGEST_POINTER) return undefined
  let value: Json | undefined = root
  for (const part of pointer.slice(1).split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    value = Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined
  }
  return value
}

/** The name as parsers see it that ignore case, `_` and `-`: protocol buffers, Go’s newer parser. */
function foldedLoosely(name: string): string {
  return normalized(name).replaceAll(/[_-]/g, '')
}

/** The name as parsers see it that ignore case or Unicode composition. */
function normalized(name: string): string {
  return fold(name.normalize('NFKC'))
}
