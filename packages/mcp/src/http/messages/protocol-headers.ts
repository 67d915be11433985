import { isJsonObject, type Json } from '@countersign/core'
import type { Message, RpcNotification, RpcRequest } from '../../wire/message.ts'
import type { HeaderList } from './raw-headers.ts'

/** The error code for a header that contradicts the body. */
export const HEADER_MISMATCH = -32020

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** The parameter that names the target of a request. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** The protocol version in a message: then it is stateless. */
export function versionOf(message: Message): string | null {
  if (message.kind === 'response') return null
  const meta = memberOf(message, '_meta')
  const version = isJsonObject(meta) ? meta[VERSION] : undefined
  return typeof version === 'string' ? version : null
}

/** The headers that the stateless protocol requires. */
export function statelessHeaders(
  message: Message,
  version: string,
  definitionOf: (tool: string) => Json | null,
): HeaderList {
  const headers = ['mcp-protocol-version', version]
  if (message.kind === 'response') return headers
  headers.push('mcp-method', message.method)
  const name = message.kind === 'request' ? nameOf(message) : null
  if (name === null) return headers
  headers.push('mcp-name', encodeHeader(name))
  if (message.method !== 'tools/call') return headers
  for (const param of paramHeaders(definitionOf(name), memberOf(message, 'arguments'))) headers.push(...param)
  return headers
}

/** The header that contradicts the body; null when none does. SECURITY: A1 whoever routes by it sees another call. */
export function headerMismatch(
  message: RpcRequest | RpcNotification,
  headers: { readonly [name: string]: unknown },
): string | null {
  const method = headers['mcp-method']
  if (method !== undefined && method !== message.method) return 'Mcp-Method'
  const given = headers['mcp-name']
  if (given === undefined) return null
  const name = nameOf(message)
  // An unknown request may have a name; a notification has none.
  if (name === null && message.kind === 'request' && message.method !== 'tools/call') return null
  return typeof given === 'string' && decodeHeader(given.trim()) === name ? null : 'Mcp-Name'
}

function nameOf(message: RpcRequest | RpcNotification): string | null {
  const member = NAMED_BY.get(message.method)
  const name = member === undefined ? undefined : memberOf(message, member)
  return typeof name === 'string' ? name : null
}

/** One parameter, parsed alone; undefined when it cannot be parsed. */
export function memberOf(message: Exclude<Message, { readonly kind: 'response' }>, name: string): Json | undefined {
  const span = message.members()?.spans.get(name)
  if (span === undefined) return undefined
  try {
    return JSON.parse(message.bytes.toString('utf8', span.from, span.to)) as Json
  } catch {
    return undefined
  }
}

/** An argument that is repeated in a header: `x-mcp-header` in the tool’s schema. */
interface Declared {
  readonly header: string
  readonly path: readonly string[]
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/
const MAX_DECLARED = 64
const MAX_DEPTH = 16

/** The headers that repeat arguments. */
export function paramHeaders(definition: Json | null, args: Json | undefined): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const { header, path } of declaredIn(definition)) {
    const text = textOf(valueAt(args, path))
    if (text !== null) headers.set(header, encodeHeader(text))
  }
  return headers
}

/** The first header that contradicts the arguments; null when none does. */
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

/** Encodes a header value: plain if possible, else marked Base64. */
export function encodeHeader(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]{0,8000}[\x21-\x7e])?$/.test(text) && !text.startsWith('=?')
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}

/** Decodes a header value; null for invalid Base64. */
export function decodeHeader(value: string): string | null {
  if (!value.startsWith('=?base64?') || !value.endsWith('?=')) return value
  const bytes = Buffer.from(value.slice(9, -2), 'base64')
  if (bytes.toString('base64') !== value.slice(9, -2)) return null
  const text = bytes.toString('utf8')
  return Buffer.from(text, 'utf8').equals(bytes) ? text : null
}
