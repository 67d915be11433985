import type { JsonObject } from '@countersign/core'
import type { Protocol } from './client-info.ts'
import type { RawId } from './message.ts'

/** JSON-RPC error codes, and the one that clients know for a lost connection. */
export const RPC = {
  parse: -32700,
  request: -32600,
  method: -32601,
  params: -32602,
  internal: -32603,
  lost: -32000,
} as const

/** An error response. The id is spelled as the sender spelled it. */
export function errorResponse(id: RawId | null, code: number, message: string): Buffer {
  return Buffer.from(lineSafe(`{"jsonrpc":"2.0","id":${id ?? 'null'},"error":${JSON.stringify({ code, message })}}`))
}

/** The response of a server to an unknown `requestState`, word for word: clients recognize it. */
export function unknownStateResponse(id: RawId): Buffer {
  const error = {
    code: RPC.params,
    message: 'Invalid or expired requestState',
    data: { reason: 'invalid_request_state' },
  }
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(error)}}`)
}

/** A result response. */
export function resultResponse(id: RawId, result: JsonObject): Buffer {
  return Buffer.from(lineSafe(`{"jsonrpc":"2.0","id":${id},"result":${JSON.stringify(result)}}`))
}

/** A tool result that tells the model why the tool did not run. Not a protocol error, which a model rarely sees. */
export function toolError(id: RawId, text: string, protocol: Protocol): Buffer {
  const result = { content: [{ type: 'text', text }], isError: true }
  return resultResponse(id, protocol === 'stateless' ? { ...result, resultType: 'complete' } : result)
}

/** A request or notification from the proxy itself. */
export function ownMessage(method: string, params: JsonObject, id?: string): Buffer {
  const head = id === undefined ? '' : `"id":${JSON.stringify(id)},`
  const named = `${head}"method":${JSON.stringify(method)}`
  return Buffer.from(lineSafe(`{"jsonrpc":"2.0",${named},"params":${JSON.stringify(params)}}`))
}

/** Characters that end a line for some readers (Node’s `readline`, Python’s `splitlines`) and not for JSON. */
const LINE_ENDS = ['\u0085', '\u2028', '\u2029'] as const

/** JSON that is one line for every reader. These characters occur only in strings, where an escape has the same value. */
export function lineSafe(json: string): string {
  let safe = json
  for (const end of LINE_ENDS)
    if (safe.includes(end)) safe = safe.replaceAll(end, `\\u${end.charCodeAt(0).toString(16).padStart(4, '0')}`)
  return safe
}
