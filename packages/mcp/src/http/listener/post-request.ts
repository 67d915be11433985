import type { IncomingMessage } from 'node:http'
import type { CallEnd, Exchange } from '../../gatekeeper/call/exchange.ts'
import { type ClientInfo, clientInfoFrom, UNKNOWN_CLIENT } from '../../wire/client-info.ts'
import type { Malformed, Message, RpcNotification, RpcRequest } from '../../wire/message.ts'
import { ambiguousCancellation, isCancellation, readMessage } from '../../wire/message-parser.ts'
import { RPC } from '../../wire/message-writer.ts'
import { requestHeaders } from '../messages/forwarded-headers.ts'
import { HEADER_MISMATCH, memberOf, versionOf } from '../messages/protocol-headers.ts'
import { filterHeaders, type HeaderList } from '../messages/raw-headers.ts'
import { discardBody, JSON_TYPE, STREAM_TYPE } from '../messages/read-body.ts'
import { sessionIn } from '../messages/session.ts'
import { type Upstream, unreachableReason, wasNeverSent } from '../upstream/upstream.ts'
import { abandon, type HttpClient, type HttpClients, type OpenRequest, settle } from './clients.ts'
import {
  approvedHeaders,
  argumentMismatch,
  hasParamHeaders,
  mismatch,
  notificationMismatch,
  withoutMessageHeaders,
} from './header-check.ts'
import { CANCELLED, findCancelled, isCancelled } from './open-requests.ts'
import type { KeepAlive, Reply } from './reply.ts'
import { relayResponse } from './response-relay.ts'
import { askUpstream } from './upstream-query.ts'

/** What is needed to forward POSTed messages. */
export interface PostContext {
  readonly upstream: Upstream
  readonly clients: HttpClients
  readonly maxBytes: number
  readonly keepAlive: KeepAlive
}

/** One POST of a client. */
interface Post {
  readonly request: IncomingMessage
  readonly reply: Reply
  readonly client: HttpClient
  readonly context: PostContext
}

const NEVER = new AbortController().signal

/** Handles one message of a client: judges, forwards or answers it. */
export function takePost(request: IncomingMessage, body: Buffer, reply: Reply, context: PostContext): Promise<void> {
  const client = context.clients.of(request)
  return client instanceof Promise
    ? client.then((found) => takeMessage(body, { request, reply, client: found, context }))
    : takeMessage(body, { request, reply, client, context })
}

function takeMessage(body: Buffer, post: Post): Promise<void> {
  const message = readMessage(body)
  switch (message.kind) {
    case 'request':
      return takeRequest(message, post)
    case 'malformed':
      return refuse(message, post)
    case 'response':
      return pass(message, post)
    case 'notification':
      return isCancellation(message) ? takeCancellation(message, post) : pass(message, post)
  }
}

async function takeCancellation(message: RpcNotification, post: Post): Promise<void> {
  const odd = ambiguousCancellation(message)
  if (odd !== null) return refuse(odd, post)
  return cancel(message, post) ? post.reply.finish(202, null) : pass(message, post)
}

async function refuse(message: Malformed, { reply, client }: Post): Promise<void> {
  const fate = await client.gatekeeper.fromClient(
    { ...message, ids: message.id === null ? [] : [message.id] },
    idle(client),
  )
  if (fate.kind === 'answer') return reply.finish(400, fate.bytes)
  reply.fail(400, null, RPC.request, `message refused: ${message.message}`)
}

function idle(client: HttpClient): Exchange {
  return { ...client.info, signal: NEVER, toClient() {} }
}

/** Forwards a notification or a response, which expect no response. */
async function pass(message: Exclude<Message, RpcRequest>, post: Post): Promise<void> {
  const { request, reply, client } = post
  const wrong = message.kind === 'response' ? null : notificationMismatch(message, request)
  if (wrong !== null) return reply.fail(400, null, HEADER_MISMATCH, wrong)
  const fate = await client.gatekeeper.fromClient(message, idle(client))
  if (fate.kind !== 'forward') return reply.finish(202, null)
  // A response has neither a name nor arguments that headers could repeat.
  const headers = requestHeaders(request)
  const named = message.kind === 'notification' && request.headers['mcp-method'] !== undefined
  await send(fate.bytes, withoutMessageHeaders(headers, named ? ['mcp-method', message.method] : []), post, null)
}

/** True when the call was never sent, so that the server need not be told. */
function cancel(message: RpcNotification, { request, client }: Post): boolean {
  const id = JSON.stringify(memberOf(message, 'requestId')) ?? 'null'
  const meant = findCancelled(client, id, request)
  for (const one of meant) {
    abandon(one, 'cancelled')
    void settle(one, { kind: 'lost', why: 'the client cancelled it while it ran' })
    if (one.asked === null) one.reply.fail(200, one.id, RPC.lost, CANCELLED)
  }
  return meant.some(({ asked }) => asked === null)
}

async function takeRequest(message: RpcRequest, post: Post): Promise<void> {
  const { request, reply, client, context } = post
  const version = versionOf(message)
  const wrong = mismatch(message, request, version)
  if (wrong !== null) return reply.fail(400, message.id, HEADER_MISMATCH, wrong)
  const info = clientInfoFrom(message, version === null ? client.info : UNKNOWN_CLIENT)
  const headers = requestHeaders(request)
  const { keepAlive } = context
  const open: OpenRequest = {
    id: message.id,
    method: message.method,
    isStateless: version !== null,
    gone: new AbortController(),
    leave() {},
    reply,
    request,
    asked: null,
    settle: null,
    isAnswered: false,
  }
  const exchange: Exchange = {
    ...info,
    signal: open.gone.signal,
    toClient: reply.event,
    askServer: (method, params) => askUpstream(context.upstream, headers, method, params),
  }
  client.open.add(open)
  reply.onGone(() => abandon(open, 'gone'))
  try {
    const judging = client.gatekeeper.fromClient(message, exchange)
    if (judging instanceof Promise) keepAlive.add(reply)
    const fate = judging instanceof Promise ? await judging : judging
    keepAlive.remove(reply)
    if (fate.kind === 'drop') return failUnsent(open, client)
    if (fate.kind === 'answer') {
      if (fate.status === 404 && client.isSession) context.clients.forget(client)
      return reply.finish(fate.status ?? 200, fate.bytes)
    }
    const isGated = message.method === 'tools/call' && (version !== null || hasParamHeaders(headers))
    const late = isGated ? argumentMismatch(message, request, client) : null
    if (open.gone.signal.aborted || late !== null) {
      await fate.settle?.({ kind: 'unsent', why: late ?? 'nobody waits for it any more' })
      return late === null ? failUnsent(open, client) : reply.fail(400, message.id, HEADER_MISMATCH, late)
    }
    open.asked = fate.asked ?? { id: message.id, method: message.method }
    open.settle = fate.settle ?? null
    const sent = isGated ? approvedHeaders(headers, fate.bytes, client) : headers
    await send(fate.bytes, sent, post, open, message.method === 'initialize' ? sessionStart(info, post) : undefined)
  } finally {
    client.open.delete(open)
    keepAlive.remove(reply)
  }
}

/** Withdrawn before it was sent: a client that is still there is told why. */
function failUnsent({ reply, id }: OpenRequest, { isSession }: HttpClient): void {
  reply.fail(isSession ? 404 : 502, id, RPC.lost, 'the session ended before the call was sent')
}

/**
 * Starts the session of an `initialize` response. INVARIANT: before the client sees the response, because its next
 * message may come at once.
 */
function sessionStart(info: ClientInfo, { request, client, context: { clients } }: Post) {
  return ({ statusCode, headers }: IncomingMessage): void => {
    const session = statusCode === 200 ? sessionIn(headers['mcp-session-id']) : null
    if (session !== null) clients.startSession(request, session, info)
    else if (!client.isSession) client.info = info
  }
}

/** Forwards a message, and relays the response; `onHead` gets its head first. */
async function send(
  bytes: Buffer,
  headers: HeaderList,
  { reply, client, context }: Post,
  open: OpenRequest | null,
  onHead?: (answer: IncomingMessage) => void,
): Promise<void> {
  const { upstream, maxBytes } = context
  try {
    const answer = await upstream.open('POST', headers, bytes, open ?? undefined)
    if (answer.statusCode === 404 && client.isSession) context.clients.forget(client)
    onHead?.(answer)
    await relayResponse(answer, {
      client,
      reply,
      request: open,
      maxBytes,
      whyRefused: upstream.whyRefused(answer),
      answerServer: (said) => answerServer(said, headers, upstream),
    })
  } catch (error) {
    const why = unreachableReason(error)
    if (open === null) return reply.fail(502, null, RPC.lost, why)
    await settle(open, endedBy(error, why, open))
    if (isCancelled(open)) reply.fail(200, open.id, RPC.lost, CANCELLED)
    else reply.fail(502, open.id, RPC.lost, why)
  }
}

/** A bad sign-in and an unreachable server are noticed before anything is sent. */
function endedBy(error: unknown, why: string, { gone }: OpenRequest): CallEnd {
  if (wasNeverSent(error)) return { kind: 'unsent', why }
  return { kind: 'lost', why: gone.signal.aborted ? 'the client disconnected while it ran' : why }
}

/** Refuses a request of the server. */
export function answerServer(bytes: Buffer, headers: HeaderList, upstream: Upstream): void {
  const others = filterHeaders(
    withoutMessageHeaders(headers),
    (name) => name !== 'content-type' && name !== 'accept',
    AS_MESSAGE,
  )
  upstream
    .open('POST', others, bytes)
    .then(discardBody)
    .catch(() => {}) // the server’s own timeout applies
}

const AS_MESSAGE: HeaderList = ['content-type', JSON_TYPE, 'accept', `${JSON_TYPE}, ${STREAM_TYPE}`]
