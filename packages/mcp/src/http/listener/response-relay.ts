import type { IncomingMessage } from 'node:http'
import type { MessageAction } from '../../gatekeeper/call/exchange.ts'
import type { Malformed, Message } from '../../wire/message.ts'
import { idKey } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { errorResponse, RPC } from '../../wire/message-writer.ts'
import { dropBody } from '../messages/discard-body.ts'
import { newMark } from '../messages/event-reader.ts'
import { createEventStream, eventBytes, type StreamEvent } from '../messages/event-stream.ts'
import { headersDown, isPacked } from '../messages/forwarded-headers.ts'
import { contentType, readBody, STREAM_TYPE } from '../messages/read-body.ts'
import { isRefusal, looksLikeJson, statusText } from '../upstream/error-response.ts'
import { type HttpClient, type OpenRequest, settle } from './clients.ts'
import { CANCELLED, findAsker, isCancelled, mayBeResumed } from './open-requests.ts'
import { passRefusal } from './refusal-relay.ts'
import type { Reply } from './reply.ts'

/** Where an answer of the server goes. */
export interface Descent {
  readonly client: HttpClient
  readonly reply: Reply
  /** The request it answers; null for a stream that answers none. */
  readonly request: OpenRequest | null
  readonly maxBytes: number
  /** What to do about a refusal that a sign-in of ours would mend; null for any other answer. */
  readonly whyRefused: string | null
  /** Sends the server an answer of ours: to what it may not ask. */
  answerServer(bytes: Buffer): void
}

/**
 * Passes what the server answers to one request of the client: streams event by event as they come, bodies whole.
 * SECURITY: A20 whatever a client may take for a message is looked at, also where it answers something else: clients read
 * a stream by any status that is good, and the answer to one request in the body of another.
 */
export function passDown(answer: IncomingMessage, descent: Descent): Promise<void> {
  const { request, reply, whyRefused } = descent
  if (whyRefused !== null) return passUnsigned(answer, reply, request, whyRefused)
  const status = answer.statusCode ?? 502
  if (isPacked(answer)) return refusePacked(answer, reply, request)
  if (status < 300) {
    if (contentType(answer) === STREAM_TYPE) return passEvents(answer, descent)
    if (request !== null) return passBody(answer, descent, request)
    passStatus(answer, reply)
    return Promise.resolve()
  }
  return passRefused(answer, reply, request, status)
}

/**
 * The proxy is not signed in, so it is the proxy that fails, with 502: at a 401 the client would begin a sign-in of its own,
 * which cannot work through another address (ADR 38).
 */
async function passUnsigned(
  answer: IncomingMessage,
  reply: Reply,
  request: OpenRequest | null,
  why: string,
): Promise<void> {
  dropBody(answer)
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
  await passRefusal(answer, reply, request?.id ?? null, settled)
}

/** SECURITY: A20 what a client unpacks and we do not is nothing that anybody looked at. None was asked for. */
async function refusePacked(answer: IncomingMessage, reply: Reply, request: OpenRequest | null): Promise<void> {
  const why = 'the server packed its answer, which was not asked for'
  answer.destroy()
  if (request !== null) await settle(request, { kind: 'lost', why })
  reply.fail(502, request?.id ?? null, RPC.lost, why)
}

/** Nothing was asked, so nothing is answered: what the server says beside its status goes nowhere. */
function passStatus(answer: IncomingMessage, reply: Reply): void {
  dropBody(answer)
  reply.finish(answer.statusCode ?? 200, null, headersDown(answer))
}

/** A refusal says that the server did not take the call; after any other status nobody knows how far it came. */
function settleRefused(request: OpenRequest, status: number): Promise<void> {
  const message = statusText(status)
  return settle(request, isRefusal(status) ? { kind: 'error', message } : { kind: 'lost', why: message })
}

async function passBody(
  answer: IncomingMessage,
  { client, reply, maxBytes }: Descent,
  request: OpenRequest,
): Promise<void> {
  const body = await readBody(answer, maxBytes)
  if (body === 'broken') return passLost(request, reply, 'the server broke off its answer')
  if (body === 'too-large') return passLost(request, reply, 'the server’s answer is too large')
  const message = readMessage(body)
  const isAnswer = message.kind === 'response' && idKey(message.id) === idKey(request.id) && !request.isAnswered
  const looked = client.gatekeeper.fromServer(message, isAnswer ? request.asked : null)
  const fate = looked instanceof Promise ? await looked : looked
  if (!isAnswer) return passLost(request, reply, 'the server answered with something else')
  request.isAnswered = true
  request.settle = null
  if (fate.kind !== 'forward') return reply.end()
  reply.finish(answer.statusCode ?? 200, fate.bytes, headersDown(answer))
  afterwards(fate, client)
}

async function passLost(request: OpenRequest, reply: Reply, why: string): Promise<void> {
  const told = isCancelled(request) ? CANCELLED : why
  await settle(request, { kind: 'lost', why: told })
  reply.fail(isCancelled(request) ? 200 : 502, request.id, RPC.lost, told)
}

function afterwards(fate: MessageAction, { later }: HttpClient): void {
  if (fate.kind === 'forward' && fate.after !== undefined) later.add(fate.after)
}

/** INVARIANT: events keep their order: behind one that takes a while, the next wait. */
function passEvents(answer: IncomingMessage, descent: Descent): Promise<void> {
  const { client, reply, request, maxBytes } = descent
  const { response } = reply
  const events = createEventStream(maxBytes)
  const mark = newMark()
  let behind: Promise<void> | null = null
  reply.begin(200, [...headersDown(answer), 'content-type', STREAM_TYPE])

  function look(event: StreamEvent): void | Promise<void> {
    if (event.id !== null) mark.lastEventId = event.id
    if (event.data === null) return write(event.raw)
    const message = readMessage(event.data)
    // SECURITY: A1 an event by another name is no message to most clients, and one to some.
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
      if (message.kind === 'malformed') spoilt(message)
      return
    }
    const isSame = message.kind !== 'malformed' && fate.bytes === message.bytes
    write(isSame ? event.raw : eventBytes(fate.bytes, event.id))
    afterwards(fate, client)
  }

  /** What is no message is not passed on; whoever waits for it hears so. */
  function spoilt({ id, message }: Malformed): void {
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
        const work: void | Promise<void> = behind === null ? look(event) : behind.then(() => look(event))
        if (!(work instanceof Promise)) continue
        const mine: Promise<void> = work.then(() => {
          if (behind !== mine) return
          behind = null
          answer.resume()
        })
        behind = mine
        answer.pause()
      }
    } catch (error) {
      answer.destroy(error instanceof Error ? error : undefined)
    }
  }

  /** INVARIANT: whoever waits hears the answer, or that it will not come; unless another stream may bring it. */
  function ended(error: Error | null): void {
    if (request === null || request.isAnswered || mayBeResumed(request, client, mark)) {
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
      if (behind === null) answer.resume()
    })
    const end = async (error: Error | null): Promise<void> => {
      await behind
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
  return 'the server ended its stream before it answered'
}
