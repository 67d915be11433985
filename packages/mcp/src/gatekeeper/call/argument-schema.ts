import type { Json, JsonObject } from '@countersign/core'
import { fold } from '../../json/member-scanner.ts'
import { isObject } from '../../json/value.ts'

/** One place in the arguments of a call, as the schema of its tool describes it. */
export interface ArgumentPlace {
  /** Whether the schema names what stands here, rather than leave the names to the caller. */
  readonly hasNames: boolean
  isNamed(name: string): boolean
  /** The name of the schema that some reader takes this one for; undefined when none does. */
  alike(name: string): string | undefined
  inside(name: string): ArgumentPlace
  items(): ArgumentPlace
}

/** INVARIANT: L10, of the alternatives of one place. Past it a place has no more names. */
const MOST_SCHEMAS = 64

/** The outermost place of a tool's arguments. What it remembers is for one call. */
export function argumentPlace(definition: Json): ArgumentPlace {
  const schema = isObject(definition) ? definition['inputSchema'] : undefined
  if (!isObject(schema)) return placeOf([], {})
  let all = outermost.get(schema)
  if (all === undefined) {
    all = alternatives([schema], schema)
    outermost.set(schema, all)
  }
  return placeOf(all, schema)
}

const outermost = new WeakMap<JsonObject, readonly JsonObject[]>()
const foldedNames = new WeakMap<JsonObject, ReadonlyMap<string, string>>()

function placeOf(all: readonly JsonObject[], root: JsonObject): ArgumentPlace {
  const properties = all.map((one) => one['properties']).filter(isObject)
  const below = new Map<string | null, ArgumentPlace>()
  let items: ArgumentPlace | undefined
  const isNamed = (name: string): boolean => properties.some((one) => Object.hasOwn(one, name))
  return {
    hasNames: properties.some((one) => Object.keys(one).length > 0),
    isNamed,
    alike(name) {
      if (properties.length === 0) return undefined
      const folded = loose(name)
      for (const one of properties) {
        const found = namesOf(one).get(folded)
        if (found !== undefined) return found
      }
      return undefined
    },
    inside(name) {
      const key = isNamed(name) ? name : null
      let place = below.get(key)
      if (place === undefined) {
        const schemas =
          key === null
            ? all.flatMap((one) => childrenOf(one, REST))
            : properties.flatMap((one) => (Object.hasOwn(one, key) ? [one[key] ?? null] : []))
        place = placeOf(alternatives(schemas, root), root)
        below.set(key, place)
      }
      return place
    },
    items() {
      items ??= placeOf(
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
    names = new Map(Object.keys(properties).map((name) => [loose(name), name]))
    foldedNames.set(properties, names)
  }
  return names
}

const REST = ['patternProperties', 'additionalProperties', 'unevaluatedProperties'] as const
const ITEMS = ['items', 'prefixItems', 'additionalItems', 'unevaluatedItems', 'contains'] as const
/** What holds at the same place as the schema it stands in. */
const SAME = ['allOf', 'anyOf', 'oneOf', 'if', 'then', 'else', 'dependentSchemas'] as const
const REFERENCES = ['$ref', '$dynamicRef'] as const
const OF_MANY: ReadonlySet<string> = new Set(['patternProperties', 'dependentSchemas'])

/** Every schema that may describe one place: alternatives, parts, and what they refer to. */
function alternatives(schemas: readonly Json[], root: JsonObject): readonly JsonObject[] {
  const found = new Set<JsonObject>()
  const left = [...schemas]
  for (let at = 0; at < left.length && found.size < MOST_SCHEMAS; at += 1) {
    const next = left[at]
    if (!isObject(next) || found.has(next)) continue
    found.add(next)
    left.push(...childrenOf(next, SAME))
    for (const word of REFERENCES) {
      const pointer = next[word]
      if (typeof pointer === 'string') left.push(referred(pointer, root) ?? null)
    }
  }
  return [...found]
}

function childrenOf(schema: JsonObject, words: readonly string[]): readonly Json[] {
  const children: Json[] = []
  for (const word of words) {
    const value = schema[word]
    if (value === undefined) continue
    if (Array.isArray(value)) children.push(...(value as readonly Json[]).slice(0, MOST_SCHEMAS))
    else if (OF_MANY.has(word) && isObject(value)) children.push(...Object.values(value).slice(0, MOST_SCHEMAS))
    else children.push(value)
  }
  return children
}

const LONGEST_POINTER = 1024

/** A pointer into the same schema; others are not followed. */
function referred(pointer: string, root: JsonObject): Json | undefined {
  if (!pointer.startsWith('#') || pointer.length > LONGEST_POINTER) return undefined
  let value: Json | undefined = root
  for (const part of pointer.slice(1).split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    value = Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined
  }
  return value
}

/** As readers that ignore case, and `_` and `-` with it, find a name: those of protocol buffers, Go's newer one. */
function loose(name: string): string {
  return plainly(name).replaceAll(/[_-]/g, '')
}

/** As readers that ignore case, or how a letter is composed, find a name. */
export function plainly(name: string): string {
  return fold(name.normalize('NFKC'))
}
