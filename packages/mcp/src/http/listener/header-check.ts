import type { IncomingMessage } from 'node:http'
import type { RpcNotification, RpcRequest } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { paramHeaders, paramMismatch } from '../messages/argument-headers.ts'
import { headerMismatch, memberOf, versionOf } from '../messages/protocol-headers.ts'
import { filterHeaders, type HeaderList, someHeader } from '../messages/raw-headers.ts'
import type { ClientSeat } from './clients.ts'

type Tools = Pick<ClientSeat, 'definitionOf'>

/** What is wrong with the headers of a request, beside its body; null when nothing is. */
export function mismatch(message: RpcRequest, request: IncomingMessage, version: string | null): string | null {
  const { headers } = request
  const header = headerMismatch(message, headers)
  if (header !== null) return `\`${header}\` says something else than the body`
  if (version === null || message.method !== 'tools/call') return versionMismatch(version, request)
  if (headers['mcp-method'] === undefined || headers['mcp-name'] === undefined)
    return '`Mcp-Method` and `Mcp-Name` are needed'
  return (
    versionMismatch(version, request) ?? (headers[VERSION] === undefined ? '`MCP-Protocol-Version` is needed' : null)
  )
}

/** The same for a notification. */
export function notificationMismatch(message: RpcNotification, request: IncomingMessage): string | null {
  const header = headerMismatch(message, request.headers)
  if (header !== null) return `\`${header}\` says something else than the body`
  return versionMismatch(versionOf(message), request)
}

const VERSION = 'mcp-protocol-version'

/** A version that a body names is the one that its header names, where there is one. */
function versionMismatch(version: string | null, { headers }: IncomingMessage): string | null {
  if (version === null || headers[VERSION] === undefined || headers[VERSION] === version) return null
  return '`MCP-Protocol-Version` says something else than the body'
}

/** Which arguments have headers is known once the tool is: that is, once the call was judged. */
export function lateMismatch(
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
  return param === null ? null : `\`${param}\` says something else than the arguments`
}

/** Whether a request repeats arguments in headers: some clients and servers do so before both agreed on it. */
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

/** A client's headers without those that speak of one message of it; `more` in their stead. */
export function unnamed(headers: HeaderList, more: HeaderList = []): HeaderList {
  return filterHeaders(headers, (name) => name !== 'mcp-method' && name !== 'mcp-name' && !isParam(name), more)
}
