import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@countersign/core'
import { sha256 } from '../call/verified-view.ts'

/** Names of the schema in a definition, used by MCP and the model APIs. */
const NAMES = ['inputSchema', 'input_schema', 'parameters']
const MOST_REFERENCES = 8
const LONGEST_WORDS = 300

/**
 * The arguments schema in a tool definition; null without one. SECURITY: A20 a definition without the signed hash is
 * ignored, whoever sent it.
 */
export function schemaOf(definition: Json, hash: string): JsonObject | null {
  if (!isJsonObject(definition) || sha256(canonicalJson(definition)) !== hash) return null
  return NAMES.map((name) => definition[name]).find(isJsonObject) ?? null
}

/** A schema with its root, which resolves `#/$defs/…`. */
export interface Schema {
  readonly root: JsonObject
  readonly here: JsonObject
}

/** The schema of a property or of the items, with local references resolved. */
export function below(schema: Schema | null, name: 'items' | { readonly property: string }): Schema | null {
  if (schema === null) return null
  const { properties } = schema.here
  const found =
    name === 'items' ? schema.here['items'] : isJsonObject(properties) ? own(properties, name.property) : undefined
  return resolve(schema.root, found)
}

/** The root schema. */
export function wholeSchema(root: JsonObject | null): Schema | null {
  return root === null ? null : resolve(root, root)
}

function resolve(root: JsonObject, found: Json | undefined): Schema | null {
  let here = found
  for (let step = 0; step < MOST_REFERENCES && isJsonObject(here); step += 1) {
    const to = here['$ref']
    if (typeof to !== 'string') return { root, here }
    const [hash, folder, name, ...rest] = to.split('/')
    const defined = hash === '#' && rest.length === 0 ? root[folder ?? ''] : undefined
    here = isJsonObject(defined) ? own(defined, name ?? '') : undefined
  }
  return null
}

/** Whether a schema allows this type; one without a type allows all. */
export function allows(schema: Schema | null, type: string): boolean {
  const declared = schema?.here['type']
  if (declared === undefined) return true
  const types = Array.isArray(declared) ? declared : [declared]
  return types.includes(type) || (type === 'number' && types.includes('integer'))
}

/** The values of an enum; empty unless all are short primitives. */
export function choicesOf(schema: Schema | null): readonly Json[] {
  const { enum: listed, const: only } = schema?.here ?? {}
  const options = Array.isArray(listed) ? listed : only === undefined ? [] : [only]
  const isPlain = options.every(
    (one) => one === null || (typeof one !== 'object' && String(one).length <= LONGEST_WORDS),
  )
  return isPlain && options.length <= 100 ? [...new Set(options)] : []
}

/** A field's description, which is a claim of the tool's publisher, and its limits. */
export interface About {
  readonly words: string | null
  readonly min: number | null
  readonly max: number | null
  readonly shortest: number | null
  readonly longest: number | null
}

export function aboutOf(schema: Schema | null): About {
  const { description, title, minimum, maximum, minLength, maxLength } = schema?.here ?? {}
  const words = typeof description === 'string' ? description : typeof title === 'string' ? title : null
  return {
    words: words === null || words.length <= LONGEST_WORDS ? words : `${words.slice(0, LONGEST_WORDS).toWellFormed()}…`,
    min: numberOr(minimum),
    max: numberOr(maximum),
    shortest: numberOr(minLength),
    longest: numberOr(maxLength),
  }
}

function numberOr(value: Json | undefined): number | null {
  return typeof value === 'number' ? value : null
}

/** The property names of a schema, and the required ones. */
export function propertiesOf(schema: Schema | null): {
  readonly names: readonly string[]
  readonly required: ReadonlySet<string>
} {
  const { properties, required } = schema?.here ?? {}
  return {
    names: isJsonObject(properties) ? Object.keys(properties) : [],
    required: new Set(Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []),
  }
}

/** SECURITY: names come from a server, so inherited ones such as `constructor` must not resolve. */
export function own(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined
}
