import type { Json } from '@countersign/core'
import { isJsonObject } from '@countersign/core'
import type { Message, RpcNotification, RpcRequest } from '../../wire/message.ts'
import { decodeHeader, encodeHeader, paramHeaders } from './argument-headers.ts'
import type { HeaderList } from './raw-headers.ts'

/** JSON-RPC's code for a header that says something else than the body. */
export const HEADER_MISMATCH = -32020

const VERSION = 'io.modelcontextprotocol/protocolVersion'

/** Which member of the parameters a request is named by. */
const NAMED_BY: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
  ['tasks/get', 'taskId'],
  ['tasks/update', 'taskId'],
  ['tasks/cancel', 'taskId'],
])

/** The protocol version a message names by itself: then it is of the stateless protocol. */
export function versionOf(message: Message): string | null {
  if (message.kind === 'response') return null
  const meta = memberOf(message, '_meta')
  const version = isJsonObject(meta) ? meta[VERSION] : undefined
  return typeof version === 'string' ? version : null
}

/** The headers that the stateless protocol wants beside a body. */
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

/** Which header says something else than the body; null when none does. SECURITY: A1 whoever routes by it sees another call. */
export function headerMismatch(
  message: RpcRequest | RpcNotification,
  headers: { readonly [name: string]: unknown },
): string | null {
  const method = headers['mcp-method']
  if (method !== undefined && method !== message.method) return 'Mcp-Method'
  const given = headers['mcp-name']
  if (given === undefined) return null
  const name = nameOf(message)
  // A request that we do not know may have a name of its own; a notification has none.
  if (name === null && message.kind === 'request' && message.method !== 'tools/call') return null
  return typeof given === 'string' && decodeHeader(given.trim()) === name ? null : 'Mcp-Name'
}

function nameOf(message: RpcRequest | RpcNotification): string | null {
  const member = NAMED_BY.get(message.method)
  const name = member === undefined ? undefined : memberOf(message, member)
  return typeof name === 'string' ? name : null
}

/** One member of the parameters, read alone; what cannot be read is not there. */
export function memberOf(message: Exclude<Message, { readonly kind: 'response' }>, name: string): Json | undefined {
  const span = message.members()?.spans.get(name)
  if (span === undefined) return undefined
  try {
    return JSON.parse(message.bytes.toString('utf8', span.from, span.to)) as Json
  } catch {
    return undefined
  }
}
