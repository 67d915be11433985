import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson, type Json, type JsonObject } from '@countersign/core'
import { isObject } from '../../json/value.ts'
import type { RpcRequest, RpcResponse } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { ownMessage, resultAnswer } from '../../wire/message-writer.ts'
import type { Exchange } from '../call/exchange.ts'
import type { ToolCall } from '../call/tool-call.ts'
import { elicitationOf, type Pointer } from './held-call-link.ts'
import { createSeals, PREFIX } from './sealed-state.ts'

/** Looks up where a call is held; null when it is not, or not any more. */
export type FindPointer = (callId: string) => Promise<Pointer | null>

/** A retry whose state was ours: the call as the server is to see it. */
export interface Unwrapped {
  readonly request: RpcRequest
  readonly callId: string
}

/**
 * Shows a client's person where a held call waits, by the client's own means. INVARIANT: L3, it is a front end and no
 * authority: what the client answers is not read.
 */
export interface FrontEnd {
  /** How long a call is held before a client is answered with where. */
  readonly afterMs: number
  /** Whether this client is shown it as the answer to its call, and asks again. */
  isRound(exchange: Exchange): boolean
  /** Shows it beside the call that waits; returns the way to take it back. */
  show(callId: string, exchange: Exchange): () => void
  /** The answer that wants the client to come back. */
  wantInput(call: ToolCall, callId: string, exchange: Exchange): Promise<Buffer | null>
  /** Null when the request brings no state of ours; `foreign` when it brings one that does not open. */
  unwrap(request: RpcRequest): Unwrapped | 'foreign' | null
  /** Whether an answer of the client is to a request of ours: then it goes no further. */
  takes(answer: RpcResponse): boolean
}

/** The name of our own request among those that a call may come back with. */
const OURS = 'countersign/held'
/** A call may be judged for a while before it is held. */
const LOOK_MS = 500
const SHOWN_AFTER_MS = 1_000

/** Makes the front end for one client. */
export function createFrontEnd(find: FindPointer, now: () => number, afterMs = SHOWN_AFTER_MS): FrontEnd {
  const seals = createSeals(now)
  const prefix = `countersign-held-${randomBytes(9).toString('base64url')}-`
  let count = 0

  return {
    afterMs,
    isRound: ({ era, elicitation }) => era === 'stateless' && (elicitation.form || elicitation.url),
    show(callId, exchange) {
      if (exchange.era !== 'initialize') return () => {}
      count += 1
      const id = `${prefix}${count}`
      let state: 'looking' | 'shown' | 'over' = 'looking'
      const look = async (): Promise<void> => {
        const pointer = await find(callId).catch(() => null)
        if (state !== 'looking') return
        if (pointer === null) return void setTimeout(() => void look(), LOOK_MS).unref()
        const params = elicitationOf(pointer, exchange, id)
        if (params === null) return
        state = 'shown'
        exchange.toClient(ownMessage('elicitation/create', params, id))
      }
      void look()
      return () => {
        if (state === 'shown')
          exchange.toClient(ownMessage('notifications/cancelled', { requestId: id, reason: 'it is decided' }))
        state = 'over'
      }
    },
    async wantInput(call, callId, exchange) {
      const pointer = await find(callId).catch(() => null)
      const params = pointer === null ? null : elicitationOf(pointer, exchange, callId)
      if (params === null) return null
      const requestState = seals.seal(callId, digestOf(call.name, call.args))
      const inputRequests = { [OURS]: { method: 'elicitation/create', params } }
      return resultAnswer(call.id, { resultType: 'input_required', inputRequests, requestState })
    },
    unwrap(request) {
      const params = request.params()
      const { requestState, name } = params
      if (typeof requestState !== 'string' || !requestState.startsWith(PREFIX)) return null
      const callId = typeof name === 'string' ? seals.open(requestState, digestOf(name, params['arguments'])) : null
      if (callId === null) return 'foreign'
      const unwrapped = readMessage(withoutOurs(request, params))
      return unwrapped.kind === 'request' ? { request: unwrapped, callId } : 'foreign'
    },
    takes: ({ id }) => id.startsWith(`"${prefix}`),
  }
}

function digestOf(name: string, args: Json | undefined): string {
  return createHash('sha256')
    .update(canonicalJson([name, args ?? null]))
    .digest('hex')
}

/** The request as it would have come without us between: every other member as it was spelled. */
function withoutOurs(request: RpcRequest, params: JsonObject): Buffer {
  const parts: string[] = []
  for (const [key, { from, to }] of request.members()?.spans ?? [])
    if (key !== 'requestState' && key !== 'inputResponses')
      parts.push(`${JSON.stringify(key)}:${request.bytes.toString('utf8', from, to)}`)
  const responses = params['inputResponses']
  const { [OURS]: _, ...others } = isObject(responses) ? responses : {}
  if (Object.keys(others).length > 0) parts.push(`"inputResponses":${JSON.stringify(others)}`)
  return Buffer.from(`{"jsonrpc":"2.0","id":${request.id},"method":"tools/call","params":{${parts.join(',')}}}`)
}
