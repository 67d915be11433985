import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { MessageAction } from '../../gatekeeper/call/exchange.ts'
import { idKey, type Malformed, type Message, type RawId } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { errorResponse, RPC } from '../../wire/message-writer.ts'
import { createEventStream, eventBytes, newPosition, type StreamEvent } from '../messages/event-stream.ts'
import { isCompressed, responseHeaders } from '../messages/forwarded-headers.ts'
import { contentType, discardBody, JSON_TYPE, readBody, STREAM_TYPE } from '../messages/read-body.ts'
import { isRefusal, looksLikeJson, MAX_ERROR_BYTES, refusalResponse, statusText } from '../upstream/error-response.ts'
import { type HttpClient, type OpenRequest, settle } from './clients.ts'
import { CANCELLED, findAsker, isCancelled, mayBeResumed } from './open-requests.ts'
import type { Reply } from './reply.ts'

/** Where a response of the server goes. */
interface ResponseContext {
  readonly client: HttpClient
  readonly reply: Reply
  /** The request it answers; null for a stream without one. */
  readonly request: OpenRequest | null
  readonly maxBytes: number
  /** Advice for a refusal that a sign-in would fix; null otherwise. */
  readonly whyRefused: string | null
  /** Sends our own response to the server. */
  answerServer(bytes: Buffer): void
}

/**
 * Relays the server’s response to the client: streams event by event, bodies whole. SECURITY: A20 everything that a
 * client may take for a message is checked, even where it answers something else: clients read a stream with any
 * success status, and a response to one request in the body of another.
 */
export function relayResponse(answer: IncomingMessage, descent: ResponseContext): Promise<void> {
  const { request, reply, whyRefused } = descent
  if (whyRefused !== null) return relaySignInFailure(answer, reply, request, whyRefused)
  const status = answer.statusCode ?? 502
  if (isCompressed(answer)) return refuseCompressed(answer, reply, request)
  if (status < 300) {
    if (contentType(answer) === STREAM_TYPE) return passEvents(answer, descent)
    if (request !== null) return passBody(answer, descent, request)
    passStatus(answer, reply)
    return Promise.resolve()
  }
  return passRefused(answer, reply, request, status)
}

/**
 * The proxy is not signed in, so the proxy fails, with 502: at a 401 the client would start its own sign-in, which
 * cannot work through another URL (ADR 38).
 */
async function relaySignInFailure(
  answer: IncomingMessage,
  reply: Reply,
  request: OpenRequest | null,
  why: string,
): Promise<void> {
  discardBody(answer)
  if (request !== null) await settle(request, { kind: 'error', message: why })
  reply.fail(502, request?.id ?? null, RPC.lost, why)
}

async function passRefused(
  answer: IncomingMessage,
  reply: Reply,
  request: OpenRequest | null,
  status: number,
): Promise<void> {
  const settled = request === null ? Promise.resolve() : settleRefused(request, status)
  await relayRefusal(answer, reply, request?.id ?? null, settled)
}

/** SECURITY: A20 a compressed body would not be checked, and none was requested. */
async function refuseCompressed(answer: IncomingMessage, reply: Reply, request: OpenRequest | null): Promise<void> {
  const why = 'the server compressed its response, which was not requested'
  answer.destroy()
  if (request !== null) await settle(request, { kind: 'lost', why })
  reply.fail(502, request?.id ?? null, RPC.lost, why)
}

/** Forwards the status only: without a request there is no response to read. */
function passStatus(answer: IncomingMessage, reply: Reply): void {
  discardBody(answer)
  reply.finish(answer.statusCode ?? 200, null, responseHeaders(answer))
}

/** A refusal means that the server did not run the call; after any other status that is unknown. */
function settleRefused(request: OpenRequest, status: number): Promise<void> {
  const message = statusText(status)
  return settle(request, isRefusal(status) ? { kind: 'error', message } : { kind: 'lost', why: message })
}

async function passBody(
  answer: IncomingMessage,
  { client, reply, maxBytes }: ResponseContext,
  request: OpenRequest,
): Promise<void> {
  const body = await readBody(answer, maxBytes)
  if (body === 'broken') return passLost(request, reply, 'the server broke off its response')
  if (body === 'too-large') return passLost(request, reply, 'the server’s response is too large')
  const message = readMessage(body)
  const isAnswer = message.kind === 'response' && idKey(message.id) === idKey(request.id) && !request.isAnswered
  const looked = client.gatekeeper.fromServer(message, isAnswer ? request.asked : null)
  const fate = looked instanceof Promise ? await looked : looked
  if (!isAnswer) return passLost(request, reply, 'the server sent something other than the response')
  request.isAnswered = true
  request.settle = null
  if (fate.kind !== 'forward') return reply.end()
  reply.finish(answer.statusCode ?? 200, fate.bytes, responseHeaders(answer))
  afterwards(fate, client)
}

async function passLost(request: OpenRequest, reply: Reply, why: string): Promise<void> {
  const told = isCancelled(request) ? CANCELLED : why
  await settle(request, { kind: 'lost', why: told })
  reply.fail(isCancelled(request) ? 200 : 502, request.id, RPC.lost, told)
}

function afterwards(fate: MessageAction, { deferred }: HttpClient): void {
  if (fate.kind === 'forward' && fate.after !== undefined) deferred.add(fate.after)
}

/** INVARIANT: events stay in order: the next wait for a slow one. */
function passEvents(answer: IncomingMessage, descent: ResponseContext): Promise<void> {
  const { client, reply, request, maxBytes } = descent
  const { response } = reply
  const events = createEventStream(maxBytes)
  const position = newPosition()
  let lastDelivery: Promise<void> | null = null
  reply.begin(200, [...responseHeaders(answer), 'content-type', STREAM_TYPE])

  function look(event: StreamEvent): void | Promise<void> {
    if (event.id !== null) position.lastEventId = event.id
    if (event.data === null) return write(event.raw)
    const message = readMessage(event.data)
    // SECURITY: A1 most clients ignore events with another name, some do not.
    if (event.name !== 'message' && message.kind === 'malformed' && !looksLikeJson(event.data)) return write(event.raw)
    const asker = message.kind === 'response' ? findAsker(client, request, message.id) : null
    if (asker !== null) asker.isAnswered = true
    const fate = client.gatekeeper.fromServer(message, asker?.asked ?? null)
    const done = (decided: MessageAction): void => deliver(decided, message, event, asker)
    return fate instanceof Promise ? fate.then(done) : done(fate)
  }

  function deliver(
    fate: MessageAction,
    message: Message | Malformed,
    event: StreamEvent,
    asker: OpenRequest | null,
  ): void {
    if (asker !== null) asker.settle = null
    if (fate.kind === 'answer') return void descent.answerServer(fate.bytes)
    if (fate.kind === 'drop') {
      if (message.kind === 'malformed') rejectMalformed(message)
      return
    }
    const isSame = message.kind !== 'malformed' && fate.bytes === message.bytes
    write(isSame ? event.raw : eventBytes(fate.bytes, event.id))
    afterwards(fate, client)
  }

  /** Drops a malformed message, and tells whoever waits for it. */
  function rejectMalformed({ id, message }: Malformed): void {
    if (request === null || request.isAnswered || id === null || idKey(id) !== idKey(request.id)) return
    giveUp(request, `the server’s response was not forwarded: ${message}`)
  }

  function giveUp(one: OpenRequest, why: string): void {
    one.isAnswered = true
    void settle(one, { kind: 'lost', why })
    write(eventBytes(errorResponse(one.id, RPC.lost, why)))
  }

  function write(bytes: Buffer): void {
    if (!reply.raw(bytes)) answer.pause()
  }

  function take(chunk: Buffer): void {
    try {
      for (const event of events.push(chunk)) {
        const work: void | Promise<void> = lastDelivery === null ? look(event) : lastDelivery.then(() => look(event))
        if (!(work instanceof Promise)) continue
        const mine: Promise<void> = work.then(() => {
          if (lastDelivery !== mine) return
          lastDelivery = null
          answer.resume()
        })
        lastDelivery = mine
        answer.pause()
      }
    } catch (error) {
      answer.destroy(error instanceof Error ? error : undefined)
    }
  }

  /** INVARIANT: the client gets a response or an error, unless another stream may bring the response. */
  function ended(error: Error | null): void {
    if (request === null || request.isAnswered || mayBeResumed(request, client, position)) {
      if (error === null) reply.end()
      else response.destroy()
      return
    }
    giveUp(request, whyUnanswered(request, error))
    reply.end()
  }

  return new Promise((resolve) => {
    answer.on('data', take)
    response.on('drain', () => {
      if (lastDelivery === null) answer.resume()
    })
    const end = async (error: Error | null): Promise<void> => {
      await lastDelivery
      ended(error)
      resolve()
    }
    answer.on('end', () => void end(null))
    answer.on('error', (error) => void end(error))
  })
}

function whyUnanswered(request: OpenRequest, error: Error | null): string {
  if (isCancelled(request)) return CANCELLED
  if (error instanceof RangeError) return error.message
  return 'the server closed its stream without a response'
}

/**
 * Relays a refusal of the server: its status and body. SECURITY: A20 clients read the body of a refusal, too, so a
 * result in it would be unchecked; and they follow redirects past the gate. INVARIANT: the body is read from now on,
 * even though it is sent once `ready`.
 */
async function relayRefusal(
  answer: IncomingMessage,
  reply: Reply,
  id: RawId | null,
  ready: Promise<void>,
): Promise<void> {
  const status = answer.statusCode ?? 502
  if (reply.isStream && id !== null) {
    const [said] = await Promise.all([refusalResponse(answer, id), ready])
    return reply.finish(200, said)
  }
  if (status < 400) {
    discardBody(answer)
    await ready
    return reply.fail(502, id, RPC.lost, statusText(status))
  }
  const [body] = await Promise.all([readBody(answer, MAX_ERROR_BYTES), ready])
  const headers = responseHeaders(answer)
  if (typeof body !== 'string' && !mayContainResult(body))
    return reply.finish(status, body, headers, looksLikeJson(body) ? JSON_TYPE : TEXT_TYPE)
  reply.finish(status, errorResponse(id, RPC.lost, statusText(status)), headers)
}

const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Whether some client may find a result in it. */
function mayContainResult(body: Buffer): boolean {
  if (!isUtf8(body) || body.includes(0)) return true
  if (!looksLikeJson(body)) return false
  const message = readMessage(body)
  if (message.kind === 'response') return !message.failed
  if (message.kind !== 'malformed') return true
  try {
    const said: unknown = JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''))
    return Array.isArray(said) || Object.keys(said ?? {}).some((name) => name.toLowerCase() === 'result')
  } catch {
    return false
  }
}
