import type { IncomingMessage } from 'node:http'
import type { CallEnd, Exchange } from '../../gatekeeper/call/exchange.ts'
import { type ClientInfo, clientInfoFrom, UNKNOWN_CLIENT } from '../../wire/client-info.ts'
import type { Malformed, Message, RpcNotification, RpcRequest } from '../../wire/message.ts'
import { ambiguousCancellation, isCancellation, readMessage } from '../../wire/message-parser.ts'
import { RPC } from '../../wire/message-writer.ts'
import { dropBody } from '../messages/discard-body.ts'
import { headersUp } from '../messages/forwarded-headers.ts'
import { HEADER_MISMATCH, memberOf, versionOf } from '../messages/protocol-headers.ts'
import { filterHeaders, type HeaderList } from '../messages/raw-headers.ts'
import { JSON_TYPE, STREAM_TYPE } from '../messages/read-body.ts'
import { sessionIn } from '../messages/session.ts'
import { type Upstream, unreachable, wasNeverSent } from '../upstream/upstream.ts'
import { abandon, type HttpClient, type HttpClients, type OpenRequest, settle } from './clients.ts'
import {
  approvedHeaders,
  hasParamHeaders,
  lateMismatch,
  mismatch,
  notificationMismatch,
  unnamed,
} from './header-check.ts'
import type { StillHere } from './keep-alive.ts'
import { CANCELLED, findCancelled, isCancelled } from './open-requests.ts'
import type { Reply } from './reply.ts'
import { passDown } from './response-relay.ts'
import { askUpstream } from './upstream-query.ts'

/** What messages that come as requests are passed with. */
export interface PostContext {
  readonly upstream: Upstream
  readonly clients: HttpClients
  readonly maxBytes: number
  readonly stillHere: StillHere
}

const NEVER = new AbortController().signal

/** Takes one message of a client: judged, passed on or answered. */
export function takePost(request: IncomingMessage, body: Buffer, reply: Reply, context: PostContext): Promise<void> {
  const client = context.clients.of(request)
  return client instanceof Promise
    ? client.then((found) => takeMessage(body, request, reply, found, context))
    : takeMessage(body, request, reply, client, context)
}

function takeMessage(
  body: Buffer,
  request: IncomingMessage,
  reply: Reply,
  client: HttpClient,
  context: PostContext,
): Promise<void> {
  const message = readMessage(body)
  switch (message.kind) {
    case 'request':
      return takeRequest(message, request, reply, client, context)
    case 'malformed':
      return refuse(message, reply, client)
    case 'response':
      return pass(message, request, reply, client, context)
    case 'notification':
      if (isCancellation(message)) return takeCancellation(message, request, reply, client, context)
      return pass(message, request, reply, client, context)
  }
}

async function takeCancellation(
  message: RpcNotification,
  request: IncomingMessage,
  reply: Reply,
  client: HttpClient,
  context: PostContext,
): Promise<void> {
  const odd = ambiguousCancellation(message)
  if (odd !== null) return refuse(odd, reply, client)
  return cancel(message, request, client) ? reply.finish(202, null) : pass(message, request, reply, client, context)
}

async function refuse(message: Malformed, reply: Reply, client: HttpClient): Promise<void> {
  const fate = await client.gatekeeper.fromClient(
    { ...message, ids: message.id === null ? [] : [message.id] },
    idle(client),
  )
  if (fate.kind === 'answer') return reply.finish(400, fate.bytes)
  reply.fail(400, null, RPC.request, `message refused: ${message.message}`)
}

function idle(client: HttpClient): Exchange {
  return { ...client.traits, signal: NEVER, toClient() {} }
}

/** A notification or an answer: nobody waits for what the server says to it. */
async function pass(
  message: Exclude<Message, RpcRequest>,
  request: IncomingMessage,
  reply: Reply,
  client: HttpClient,
  context: PostContext,
): Promise<void> {
  const wrong = message.kind === 'response' ? null : notificationMismatch(message, request)
  if (wrong !== null) return reply.fail(400, null, HEADER_MISMATCH, wrong)
  const fate = await client.gatekeeper.fromClient(message, idle(client))
  if (fate.kind !== 'forward') return reply.finish(202, null)
  // An answer has no name, and neither has an argument that a header could repeat.
  const headers = headersUp(request)
  const named = message.kind === 'notification' && request.headers['mcp-method'] !== undefined
  await send(fate.bytes, unnamed(headers, named ? ['mcp-method', message.method] : []), reply, null, client, context)
}

/** True when nobody but us has heard of the call: then nobody need hear of its end. */
function cancel(message: RpcNotification, request: IncomingMessage, client: HttpClient): boolean {
  const id = JSON.stringify(memberOf(message, 'requestId')) ?? 'null'
  const meant = findCancelled(client, id, request)
  for (const one of meant) {
    abandon(one, 'cancelled')
    void settle(one, { kind: 'lost', why: 'the client cancelled it while it ran' })
    if (one.asked === null) one.reply.fail(200, one.id, RPC.lost, CANCELLED)
  }
  return meant.some(({ asked }) => asked === null)
}

async function takeRequest(
  message: RpcRequest,
  request: IncomingMessage,
  reply: Reply,
  client: HttpClient,
  context: PostContext,
): Promise<void> {
  const version = versionOf(message)
  const wrong = mismatch(message, request, version)
  if (wrong !== null) return reply.fail(400, message.id, HEADER_MISMATCH, wrong)
  const traits = clientInfoFrom(message, version === null ? client.traits : UNKNOWN_CLIENT)
  const headers = headersUp(request)
  const { stillHere } = context
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
    ...traits,
    signal: open.gone.signal,
    toClient: reply.event,
    askServer: (method, params) => askUpstream(context.upstream, headers, method, params),
  }
  client.open.add(open)
  reply.onGone(() => abandon(open, 'gone'))
  try {
    const judging = client.gatekeeper.fromClient(message, exchange)
    if (judging instanceof Promise) stillHere.waits(reply)
    const fate = judging instanceof Promise ? await judging : judging
    stillHere.waitsNoMore(reply)
    if (fate.kind === 'drop') return leaveUnsent(open, client)
    if (fate.kind === 'answer') {
      if (fate.status === 404 && client.isSession) context.clients.forget(client)
      return reply.finish(fate.status ?? 200, fate.bytes)
    }
    const isGated = message.method === 'tools/call' && (version !== null || hasParamHeaders(headers))
    const late = isGated ? lateMismatch(message, request, client) : null
    if (open.gone.signal.aborted || late !== null) {
      await fate.settle?.({ kind: 'unsent', why: late ?? 'nobody waits for it any more' })
      return late === null ? leaveUnsent(open, client) : reply.fail(400, message.id, HEADER_MISMATCH, late)
    }
    open.asked = fate.asked ?? { id: message.id, method: message.method }
    open.settle = fate.settle ?? null
    const sent = isGated ? approvedHeaders(headers, fate.bytes, client) : headers
    const begins = message.method === 'initialize' ? beginning(request, traits, client, context) : () => {}
    await send(fate.bytes, sent, reply, open, client, context, begins)
  } finally {
    client.open.delete(open)
    stillHere.waitsNoMore(reply)
  }
}

/** It was withdrawn before it was sent. Who left has gone; whoever did not hears why no answer comes. */
function leaveUnsent({ reply, id }: OpenRequest, { isSession }: HttpClient): void {
  reply.fail(isSession ? 404 : 502, id, RPC.lost, 'the session ended before the call was sent')
}

/** What an answer to `initialize` begins. INVARIANT: before the client hears of it: its next word may come at once. */
function beginning(request: IncomingMessage, traits: ClientInfo, client: HttpClient, { clients }: PostContext) {
  return ({ statusCode, headers }: IncomingMessage): void => {
    const session = statusCode === 200 ? sessionIn(headers['mcp-session-id']) : null
    if (session !== null) clients.adopt(request, session, traits)
    else if (!client.isSession) client.traits = traits
  }
}

/** Sends a message to the server, and its answer to the client; `look` sees its head first. */
async function send(
  bytes: Buffer,
  headers: HeaderList,
  reply: Reply,
  open: OpenRequest | null,
  client: HttpClient,
  context: PostContext,
  look: (answer: IncomingMessage) => void = () => {},
): Promise<void> {
  const { upstream, maxBytes } = context
  try {
    const answer = await upstream.open('POST', headers, bytes, open ?? undefined)
    if (answer.statusCode === 404 && client.isSession) context.clients.forget(client)
    look(answer)
    await passDown(answer, {
      client,
      reply,
      request: open,
      maxBytes,
      whyRefused: upstream.whyRefused(answer),
      answerServer: (said) => answerServer(said, headers, upstream),
    })
  } catch (error) {
    const why = unreachable(error)
    if (open === null) return reply.fail(502, null, RPC.lost, why)
    await settle(open, endedBy(error, why, open))
    if (isCancelled(open)) reply.fail(200, open.id, RPC.lost, CANCELLED)
    else reply.fail(502, open.id, RPC.lost, why)
  }
}

/** What is wrong with a sign-in of ours is found before anything is sent, and so is that nobody is there to send it to. */
function endedBy(error: unknown, why: string, { gone }: OpenRequest): CallEnd {
  if (wasNeverSent(error)) return { kind: 'unsent', why }
  return { kind: 'lost', why: gone.signal.aborted ? 'the client went away while it ran' : why }
}

/** Tells the server that it may not ask what it asked. */
export function answerServer(bytes: Buffer, headers: HeaderList, upstream: Upstream): void {
  const others = filterHeaders(unnamed(headers), (name) => name !== 'content-type' && name !== 'accept', AS_MESSAGE)
  upstream
    .open('POST', others, bytes)
    .then(dropBody)
    .catch(() => {}) // then it waits as long as it waits for anyone
}

const AS_MESSAGE: HeaderList = ['content-type', JSON_TYPE, 'accept', `${JSON_TYPE}, ${STREAM_TYPE}`]
