import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Json } from '@countersign/core'
import { RPC } from '../answers.ts'
import { traitsFrom, UNKNOWN_CLIENT } from '../client-traits.ts'
import type { Exchange, Fate } from '../gatekeeper.ts'
import { idKey } from '../id-key.ts'
import type { Malformed, Message, RpcNotification, RpcRequest } from '../message.ts'
import { readMessage } from '../read-message.ts'
import { askUpstream } from './ask-upstream.ts'
import { type HttpClient, type HttpClients, type OpenRequest, settle } from './http-clients.ts'
import { HEADER_MISMATCH, headerMismatch, memberOf, versionOf } from './message-headers.ts'
import { paramHeaders, paramMismatch } from './param-headers.ts'
import { passDown } from './pass-down.ts'
import { headersUp } from './passed-headers.ts'
import type { Reply } from './reply.ts'
import { sessionIn } from './session-facts.ts'
import { type Upstream, unreachable } from './upstream.ts'

/** What messages that come as requests are passed with. */
export interface PostContext {
  readonly upstream: Upstream
  readonly clients: HttpClients
  readonly mostBytes: number
  definitionOf(tool: string): Json | null
}

/** How long a client that waits for a person hears nothing. */
const BEAT_MS = 15_000
const NEVER = new AbortController().signal

/** Takes one message of a client: judged, passed on or answered. */
export async function takePost(
  request: IncomingMessage,
  body: Buffer,
  reply: Reply,
  context: PostContext,
): Promise<void> {
  const found = context.clients.of(request)
  const client = found instanceof Promise ? await found : found
  const message = readMessage(body)
  switch (message.kind) {
    case 'request':
      return takeRequest(message, request, reply, client, context)
    case 'malformed':
      return refuse(message, reply, client)
    case 'response':
      return pass(message, request, reply, client, context)
    case 'notification':
      if (message.method === 'notifications/cancelled' && cancel(message, client)) return reply.finish(202, null)
      return pass(message, request, reply, client, context)
  }
}

async function refuse(message: Malformed, reply: Reply, client: HttpClient): Promise<void> {
  const fate = await client.gatekeeper.fromClient(
    { ...message, ids: message.id === null ? [] : [message.id] },
    idle(client),
  )
  if (fate.kind === 'answer') return reply.finish(400, fate.bytes)
  reply.fail(400, null, RPC.request, `the message was not taken: ${message.message}`)
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
  const fate = await client.gatekeeper.fromClient(message, idle(client))
  if (fate.kind !== 'forward') return reply.finish(202, null)
  await send(fate.bytes, headersUp(request), reply, null, client, context)
}

/** True when nobody but us has heard of the call: then nobody need hear of its end. */
function cancel(message: RpcNotification, client: HttpClient): boolean {
  const id = idKey(JSON.stringify(memberOf(message, 'requestId')) ?? 'null')
  let isOurs = false
  for (const one of [...client.open]) {
    if (idKey(one.id) !== id) continue
    isOurs ||= one.asked === null
    one.gone.abort('cancelled')
    void settle(one, { kind: 'lost', why: 'the client cancelled it while it ran' })
    if (one.asked === null) one.reply.end()
  }
  return isOurs
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
  const traits = traitsFrom(message, version === null ? client.traits : UNKNOWN_CLIENT)
  const headers = headersUp(request)
  const open: OpenRequest = {
    id: message.id,
    method: message.method,
    isStateless: version !== null,
    gone: new AbortController(),
    reply,
    asked: null,
    settle: null,
  }
  const exchange: Exchange = {
    ...traits,
    signal: open.gone.signal,
    toClient: reply.event,
    askServer: (method, params) => askUpstream(context.upstream, headers, method, params),
  }
  client.open.add(open)
  reply.onGone(() => open.gone.abort('gone'))
  try {
    const fate = await judge(message, exchange, client, reply)
    if (fate.kind === 'drop') return reply.end()
    if (fate.kind === 'answer') return reply.finish(200, fate.bytes)
    const late = version === null ? null : lateMismatch(message, request, context)
    if (open.gone.signal.aborted || late !== null) {
      await fate.settle?.({ kind: 'unsent', why: late ?? 'nobody waits for it any more' })
      return late === null ? reply.end() : reply.fail(400, message.id, HEADER_MISMATCH, late)
    }
    open.asked = fate.asked ?? { id: message.id, method: message.method }
    open.settle = fate.settle ?? null
    const isGated = message.method === 'tools/call' && version !== null
    const session = await send(
      fate.bytes,
      isGated ? approvedHeaders(headers, fate.bytes, context) : headers,
      reply,
      open,
      client,
      context,
    )
    if (message.method === 'initialize' && session !== null) await context.clients.adopt(session, traits)
    else if (message.method === 'initialize') client.traits = traits
  } finally {
    client.open.delete(open)
  }
}

/** Judges a request; whoever waits for a person hears from time to time that the line still stands. */
async function judge(message: RpcRequest, exchange: Exchange, client: HttpClient, reply: Reply): Promise<Fate> {
  const fate = client.gatekeeper.fromClient(message, exchange)
  if (!(fate instanceof Promise)) return fate
  const timer = setInterval(reply.beat, BEAT_MS)
  try {
    return await fate
  } finally {
    clearInterval(timer)
  }
}

function mismatch(message: RpcRequest, { headers }: IncomingMessage, version: string | null): string | null {
  const header = headerMismatch(message, headers)
  if (header !== null) return `\`${header}\` says something else than the body`
  if (version === null || message.method !== 'tools/call') return null
  if (headers['mcp-method'] === undefined || headers['mcp-name'] === undefined)
    return '`Mcp-Method` and `Mcp-Name` are needed'
  return headers['mcp-protocol-version'] === version ? null : '`MCP-Protocol-Version` says something else than the body'
}

/** Which arguments have headers is known once the tool is: that is, once the call was judged. */
function lateMismatch(message: RpcRequest, { headers }: IncomingMessage, { definitionOf }: PostContext): string | null {
  if (message.method !== 'tools/call') return null
  const name = memberOf(message, 'name')
  const definition = typeof name === 'string' ? definitionOf(name) : null
  const param = paramMismatch(definition, memberOf(message, 'arguments'), (one) => {
    const value = headers[one]
    return typeof value === 'string' ? value : undefined
  })
  return param === null ? null : `\`${param}\` says something else than the arguments`
}

/** INVARIANT: L1, headers that repeat arguments repeat the approved ones. */
function approvedHeaders(
  headers: OutgoingHttpHeaders,
  bytes: Buffer,
  { definitionOf }: PostContext,
): OutgoingHttpHeaders {
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith('mcp-param-'))
  const approved = readMessage(bytes)
  if (approved.kind !== 'request') return Object.fromEntries(kept)
  const name = memberOf(approved, 'name')
  const params = paramHeaders(typeof name === 'string' ? definitionOf(name) : null, memberOf(approved, 'arguments'))
  return Object.fromEntries([...kept, ...params])
}

/** Sends a message to the server, and its answer to the client. Gives the session that the server names, if any. */
async function send(
  bytes: Buffer,
  headers: OutgoingHttpHeaders,
  reply: Reply,
  open: OpenRequest | null,
  client: HttpClient,
  context: PostContext,
): Promise<string | null> {
  const { upstream, mostBytes } = context
  let session: string | null = null
  try {
    const answer = await upstream.open('POST', headers, bytes, open?.gone.signal)
    if (answer.statusCode === 404 && client.key.startsWith('session ')) context.clients.forget(client)
    session = answer.statusCode === 200 ? sessionIn(answer.headers['mcp-session-id']) : null
    await passDown(answer, {
      client,
      reply,
      request: open,
      mostBytes,
      answerServer: (said) => answerServer(said, headers, upstream),
    })
  } catch (error) {
    const why = unreachable(error)
    if (open !== null)
      await settle(open, { kind: 'lost', why: open.gone.signal.aborted ? 'the client went away while it ran' : why })
    reply.fail(502, open?.id ?? null, RPC.lost, why)
  }
  return session
}

/** Tells the server that it may not ask what it asked. */
export function answerServer(bytes: Buffer, headers: OutgoingHttpHeaders, upstream: Upstream): void {
  upstream
    .open(
      'POST',
      { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      bytes,
    )
    .then((answer) => void answer.resume())
    .catch(() => {}) // then it waits as long as it waits for anyone
}
