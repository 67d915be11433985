import type { JsonObject } from '@countersign/core'
import { lineSafe } from '../json/line-safe.ts'
import type { Era } from './client-info.ts'
import type { RawId } from './message.ts'

/** Codes of JSON-RPC, and the one that clients know for a connection that ended. */
export const RPC = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  lost: -32000,
} as const

/** An error answer to a request. The id is spelled as the asker spelled it. */
export function errorAnswer(id: RawId | null, code: number, message: string): Buffer {
  return Buffer.from(lineSafe(`{"jsonrpc":"2.0","id":${id ?? 'null'},"error":${JSON.stringify({ code, message })}}`))
}

/** What servers answer to a `requestState` they did not give, word for word: clients know it. */
export function unknownState(id: RawId): Buffer {
  const error = {
    code: RPC.params,
    message: 'Invalid or expired requestState',
    data: { reason: 'invalid_request_state' },
  }
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`)
}

/** A result to a request. */
export function resultAnswer(id: RawId, result: JsonObject): Buffer {
  return Buffer.from(lineSafe(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`))
}

/** A tool result that tells the model, in words, why the tool did not run. Never a protocol error: a model sees those seldom. */
export function toolError(id: RawId, text: string, era: Era): Buffer {
  const result = { content: [{ type: 'text', text }], isError: true }
  return resultAnswer(id, era === 'stateless' ? { ...result, resultType: 'complete' } : result)
}

/** A request or notification of our own. */
export function ownMessage(method: string, params: JsonObject, id?: string): Buffer {
  const head = id === undefined ? '' : `"id":${JSON.stringify(id)},`
  const named = `${head}"method":${JSON.stringify(method)}`
  return Buffer.from(lineSafe(`{"jsonrpc":"2.0",${named},"params":${JSON.stringify(params)}}`))
}
