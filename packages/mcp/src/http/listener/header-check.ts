import type { IncomingMessage } from 'node:http'
import type { RpcNotification, RpcRequest } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { headerMismatch, memberOf, paramHeaders, paramMismatch, versionOf } from '../messages/protocol-headers.ts'
import { filterHeaders, type HeaderList, someHeader } from '../messages/raw-headers.ts'
import type { ClientContext } from './clients.ts'

type Tools = Pick<ClientContext, 'definitionOf'>

/** How the headers of a request contradict its body; null when they agree. */
export function mismatch(message: RpcRequest, request: IncomingMessage, version: string | null): string | null {
  const { headers } = request
  const header = headerMismatch(message, headers)
  if (header !== null) return `\`${header}\` contradicts the body`
  if (version === null || message.method !== 'tools/call') return versionMismatch(version, request)
  if (headers['mcp-method'] === undefined || headers['mcp-name'] === undefined)
    return '`Mcp-Method` and `Mcp-Name` are required'
  return (
    versionMismatch(version, request) ?? (headers[VERSION] === undefined ? '`MCP-Protocol-Version` is required' : null)
  )
}

/** The same for a notification. */
export function notificationMismatch(message: RpcNotification, request: IncomingMessage): string | null {
  const header = headerMismatch(message, request.headers)
  if (header !== null) return `\`${header}\` contradicts the body`
  return versionMismatch(versionOf(message), request)
}

const VERSION = 'mcp-protocol-version'

/** A version in the body must equal the header, if there is one. */
function versionMismatch(version: string | null, { headers }: IncomingMessage): string | null {
  if (version === null || headers[VERSION] === undefined || headers[VERSION] === version) return null
  return '`MCP-Protocol-Version` contradicts the body'
}

/** How headers contradict the arguments; known once the call was judged, because the tool’s schema defines them. */
export function argumentMismatch(
  message: RpcRequest,
  { headers }: IncomingMessage,
  { definitionOf }: Tools,
): string | null {
  const name = memberOf(message, 'name')
  const definition = typeof name === 'string' ? definitionOf(name) : null
  const param = paramMismatch(definition, memberOf(message, 'arguments'), (one) => {
    const value = headers[one]
    return typeof value === 'string' ? value : undefined
  })
  return param === null ? null : `\`${param}\` contradicts the arguments`
}

/** Whether a request repeats arguments in headers; some do so before both sides agreed on it. */
export function hasParamHeaders(headers: HeaderList): boolean {
  return someHeader(headers, isParam)
}

function isParam(name: string): boolean {
  return name.startsWith('mcp-param-')
}

/** INVARIANT: L1, headers that repeat arguments repeat the approved ones. */
export function approvedHeaders(headers: HeaderList, bytes: Buffer, { definitionOf }: Tools): HeaderList {
  const approved = readMessage(bytes)
  if (approved.kind !== 'request') return filterHeaders(headers, (name) => !isParam(name))
  const name = memberOf(approved, 'name')
  const params = paramHeaders(typeof name === 'string' ? definitionOf(name) : null, memberOf(approved, 'arguments'))
  return filterHeaders(headers, (one) => !isParam(one), [...params].flat())
}

/** A client’s headers without those of a single message; `more` instead. */
export function withoutMessageHeaders(headers: HeaderList, more: HeaderList = []): HeaderList {
  return filterHeaders(headers, (name) => name !== 'mcp-method' && name !== 'mcp-name' && !isParam(name), more)
}
