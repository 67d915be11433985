import type { Json } from '@countersign/core'
import { isJsonObject } from '@countersign/core'

/** An argument that goes into a header as well: `x-mcp-header` in the schema of a tool. */
interface Declared {
  readonly header: string
  readonly path: readonly string[]
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/
const MAX_DECLARED = 64
const MAX_DEPTH = 16

/** Headers that say what the arguments say; the arguments win in whatever way they differ. */
export function paramHeaders(definition: Json | null, args: Json | undefined): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const { header, path } of declaredIn(definition)) {
    const text = textOf(valueAt(args, path))
    if (text !== null) headers.set(header, encodeHeader(text))
  }
  return headers
}

/** The first header that does not say what the arguments say; null when all do. */
export function paramMismatch(
  definition: Json | null,
  args: Json | undefined,
  headerOf: (name: string) => string | undefined,
): string | null {
  for (const { header, path } of declaredIn(definition)) {
    const value = valueAt(args, path)
    const text = textOf(value)
    if (text === null) continue
    const given = headerOf(header)
    const said = given === undefined ? null : decodeHeader(given.trim())
    if (said === text) continue
    if (
      typeof value === 'number' &&
      said !== null &&
      /^-?\d{1,40}(?:\.\d{1,40})?$/.test(said) &&
      Number(said) === value
    )
      continue
    return header
  }
  return null
}

function declaredIn(definition: Json | null): readonly Declared[] {
  const schema = definition !== null && isJsonObject(definition) ? definition['inputSchema'] : undefined
  const found: Declared[] = []
  collect(schema, [], found)
  return found
}

function collect(schema: Json | undefined, path: readonly string[], found: Declared[]): void {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined
  if (!isJsonObject(properties) || path.length >= MAX_DEPTH) return
  for (const [key, child] of Object.entries(properties)) {
    if (found.length >= MAX_DECLARED) return
    const name = isJsonObject(child) ? child['x-mcp-header'] : undefined
    if (typeof name === 'string' && TOKEN.test(name))
      found.push({ header: `mcp-param-${name.toLowerCase()}`, path: [...path, key] })
    collect(child, [...path, key], found)
  }
}

function valueAt(args: Json | undefined, path: readonly string[]): Json | undefined {
  let value = args
  for (const key of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, key)) return undefined
    value = value[key]
  }
  return value
}

function textOf(value: Json | undefined): string | null {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  if (typeof value !== 'number' || (Number.isInteger(value) && !Number.isSafeInteger(value))) return null
  return String(value)
}

/** A value as a header: plain where a header can hold it, else Base64 in its marks. */
export function encodeHeader(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]{0,8000}[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

/** What a header says; null when it is marked as Base64 and is none. */
export function decodeHeader(value: string): string | null {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value
  const bytes = Buffer.from(value.slice(9, -2), 'base64')
  if (bytes.toString('base64') !== value.slice(9, -2)) return null
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null
}
