import type { Json, JsonObject } from '@countersign/core'
import { isObject } from './client-traits.ts'
import type { RawId, RpcRequest } from './message.ts'
import { disguisedName, knownNames } from './scan-members.ts'
import { StrictJsonError } from './strict-json.ts'

/** A `tools/call` as it was asked for, read in full. */
export interface ToolCall {
  readonly id: RawId
  readonly name: string
  /** As given; undefined when the call has none. Not checked here: the gate does. */
  readonly args: Json | undefined
  readonly params: JsonObject
  readonly meta: JsonObject | null
  /** The token under which the client wants to hear of progress, as it spelled it. */
  readonly progressToken: string | null
  readonly asTask: boolean
  /** Of a retry: it answers what the server wanted to know first. */
  readonly isRetry: boolean
  readonly requestState: Json | undefined
  /** The call with other arguments: exactly these, and every other member of `params` as it came. */
  serialise(args: JsonObject): Buffer
}

const KNOWN = knownNames('name', 'arguments', '_meta', 'task', 'inputResponses', 'requestState')

/** Reads a `tools/call` strictly; throws a `StrictJsonError` that says what is wrong with it. */
export function readToolCall(request: RpcRequest): ToolCall {
  const params = request.params()
  const members = request.members()
  const { name, arguments: args, _meta: meta, requestState } = params
  if (members === null || typeof name !== 'string') throw new StrictJsonError('parse', 'the call names no tool')
  const disguised = disguisedName(members, KNOWN)
  if (disguised !== null) throw new StrictJsonError('duplicate-key', `\`${disguised}\` looks like another member`)
  const token = isObject(meta) ? meta['progressToken'] : undefined
  return {
    id: request.id,
    name,
    args,
    params,
    meta: isObject(meta) ? meta : null,
    progressToken: typeof token === 'string' || typeof token === 'number' ? JSON.stringify(token) : null,
    asTask: params['task'] !== undefined,
    isRetry: params['inputResponses'] !== undefined || requestState !== undefined,
    requestState,
    serialise(approved) {
      const parts = [`"name":${JSON.stringify(name)}`]
      if (args !== undefined || Object.keys(approved).length > 0) parts.push(`"arguments":${JSON.stringify(approved)}`)
      for (const [key, { from, to }] of members.spans) {
        if (key === 'name' || key === 'arguments') continue
        parts.push(`${JSON.stringify(key)}:${request.bytes.toString('utf8', from, to)}`)
      }
      return Buffer.from(`{"jsonrpc":"2.0","id":${request.id},"method":"tools/call","params":{${parts.join(',')}}}`)
    },
  }
}
