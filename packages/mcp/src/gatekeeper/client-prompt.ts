import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@countersign/core'
import type { RpcRequest, RpcResponse } from '../wire/message.ts'
import { readMessage } from '../wire/message-parser.ts'
import { ownMessage, resultResponse } from '../wire/message-writer.ts'
import type { Exchange } from './call/exchange.ts'
import type { ToolCall } from './call/tool-call.ts'

/** Looks up where a call is held; null when it is not held. */
export type FindHeldCallLink = (callId: string) => Promise<HeldCallLink | null>

/** A retry with one of our states: the request as the server should see it. */
interface Unwrapped {
  readonly request: RpcRequest
  readonly callId: string
}

/**
 * Shows the client's user where a held call waits, through the client. INVARIANT: L3, it only informs: the client's
 * answer is not read.
 */
export interface ClientPrompt {
  /** The delay before a client is answered with the location. */
  readonly afterMs: number
  /** Whether this client is shown the location in the response to its call, and calls again. */
  usesRounds(exchange: Exchange): boolean
  /** Shows the location while the call waits; returns a function to withdraw it. */
  show(callId: string, exchange: Exchange): () => void
  /** The response that makes the client come back. */
  inputRequired(call: ToolCall, callId: string, exchange: Exchange): Promise<Buffer | null>
  /** Null when the request has no state of ours; `foreign` when the state is invalid. */
  unwrap(request: RpcRequest): Unwrapped | 'foreign' | null
  /** Whether a response answers one of our requests; then it is not forwarded. */
  isOwnResponse(answer: RpcResponse): boolean
}

/** The key of our request among the `inputRequests`. */
const OURS = 'countersign/held'
/** Judging may take a while before the call is held. */
const RETRY_MS = 500
const SHOWN_AFTER_MS = 1_000

/** Creates the prompt for one client. */
export function createClientPrompt(find: FindHeldCallLink, now: () => number, afterMs = SHOWN_AFTER_MS): ClientPrompt {
  const seals = createSeals(now)
  const prefix = `countersign-held-${randomBytes(9).toString('base64url')}-`
  let count = 0

  return {
    afterMs,
    usesRounds: ({ protocol, elicitation }) => protocol === 'stateless' && (elicitation.form || elicitation.url),
    show(callId, exchange) {
      if (exchange.protocol !== 'initialize') return () => {}
      count += 1
      const id = `${prefix}${count}`
      let state: 'searching' | 'shown' | 'over' = 'searching'
      const search = async (): Promise<void> => {
        const link = await find(callId).catch(() => null)
        if (state !== 'searching') return
        if (link === null) return void setTimeout(() => void search(), RETRY_MS).unref()
        const params = elicitationOf(link, exchange, id)
        if (params === null) return
        state = 'shown'
        exchange.toClient(ownMessage('elicitation/create', params, id))
      }
      void search()
      return () => {
        if (state === 'shown')
          exchange.toClient(ownMessage('notifications/cancelled', { requestId: id, reason: 'the call was decided' }))
        state = 'over'
      }
    },
    async inputRequired(call, callId, exchange) {
      const link = await find(callId).catch(() => null)
      const params = link === null ? null : elicitationOf(link, exchange, callId)
      if (params === null) return null
      const requestState = seals.seal(callId, digestOf(call.name, call.args))
      const inputRequests = { [OURS]: { method: 'elicitation/create', params } }
      return resultResponse(call.id, { resultType: 'input_required', inputRequests, requestState })
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
    isOwnResponse: ({ id }) => id.startsWith(`"${prefix}`),
  }
}

function digestOf(name: string, args: Json | undefined): string {
  return createHash('sha256')
    .update(canonicalJson([name, args ?? null]))
    .digest('hex')
}

/** The request without our part; every other member as spelled. */
function withoutOurs(request: RpcRequest, params: JsonObject): Buffer {
  const parts: string[] = []
  for (const [key, { from, to }] of request.members()?.spans ?? [])
    if (key !== 'requestState' && key !== 'inputResponses')
      parts.push(`${JSON.stringify(key)}:${request.bytes.toString('utf8', from, to)}`)
  const responses = params['inputResponses']
  const { [OURS]: _, ...others } = isJsonObject(responses) ? responses : {}
  if (Object.keys(others).length > 0) parts.push(`"inputResponses":${JSON.stringify(others)}`)
  return Buffer.from(`{"jsonrpc":"2.0","id":${request.id},"method":"tools/call","params":{${parts.join(',')}}}`)
}

/** Where a person finds a held call. */
export interface HeldCallLink {
  /** One or two sentences, safe to show. */
  readonly message: string
  /** The page in the inbox, when a service is running. */
  readonly url: string | null
}

/** A form with a single checkbox. INVARIANT: L3, the answer decides nothing. */
const ACKNOWLEDGEMENT = {
  type: 'object',
  properties: {
    read: { type: 'boolean', title: 'I will decide there', description: 'Decides nothing.', default: true },
  },
}

/** The parameters of an `elicitation/create` that shows where a call is held; null when the client supports none. */
function elicitationOf(link: HeldCallLink, { elicitation, protocol }: Exchange, id: string): JsonObject | null {
  const { message, url } = link
  if (url !== null && elicitation.url)
    return { mode: 'url', message, url, ...(protocol === 'initialize' ? { elicitationId: id } : {}) }
  return elicitation.form ? { mode: 'form', message, requestedSchema: ACKNOWLEDGEMENT } : null
}

/** Seals ids of held calls into states for one client. SECURITY: A9 each opens once, in time, for exactly its call. */
interface Seals {
  seal(callId: string, digest: string): string
  /** The id of the held call; null when the state is not ours, is for another call, expired, or was used. */
  open(text: string, digest: string): string | null
}

/** The prefix of our states. */
const PREFIX = 'countersign1.'

/** INVARIANT: L10. Beyond this the oldest state becomes invalid. */
const MAX_SEALED = 256
const MAX_AGE_MS = 60 * 60_000
const LONGEST = 1024 * 1024

function createSeals(now: () => number): Seals {
  const key = randomBytes(32)
  const sealed = new Map<string, number>()
  const sign = (body: string, digest: string): Buffer => createHmac('sha256', key).update(`${body}\n${digest}`).digest()

  return {
    seal(callId, digest) {
      const nonce = randomBytes(12).toString('base64url')
      const oldest = sealed.size >= MAX_SEALED ? sealed.keys().next().value : undefined
      if (oldest !== undefined) sealed.delete(oldest)
      sealed.set(nonce, now() + MAX_AGE_MS)
      const body = Buffer.from(JSON.stringify([nonce, callId])).toString('base64url')
      return `${PREFIX}${body}.${sign(body, digest).toString('base64url')}`
    },
    open(text, digest) {
      const [body = '', tag = '', ...more] = text.length > LONGEST ? [] : text.slice(PREFIX.length).split('.')
      const expected = sign(body, digest)
      const given = Buffer.from(tag, 'base64url')
      if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null
      const [nonce, callId] = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as [string, string]
      const until = sealed.get(nonce)
      sealed.delete(nonce)
      return until === undefined || until < now() ? null : callId
    },
  }
}
