import type { IncomingMessage } from 'node:http'
import { errorAnswer, RPC } from '../answers.ts'
import type { Fate } from '../gatekeeper.ts'
import { idKey } from '../id-key.ts'
import type { Malformed, Message } from '../message.ts'
import { readMessage } from '../read-message.ts'
import { newMark } from './answer-stream.ts'
import { createEventStream, eventBytes, type StreamEvent } from './event-stream.ts'
import { type HttpClient, type OpenRequest, settle, takeOwed } from './http-clients.ts'
import { headersDown } from './passed-headers.ts'
import { refusedAnswer, statusText } from './refused-answer.ts'
import type { Reply } from './reply.ts'
import { contentType, readBody } from './upstream.ts'

/** Where an answer of the server goes. */
export interface Descent {
  readonly client: HttpClient
  readonly reply: Reply
  /** The request it answers; null for a stream that answers none. */
  readonly request: OpenRequest | null
  readonly mostBytes: number
  /** Sends the server an answer of ours: to what it may not ask. */
  answerServer(bytes: Buffer): void
}

/**
 * Passes what the server answers to one request of the client: streams event by event as they come, bodies at once where
 * somebody has to look at them, and piece by piece where nobody does.
 */
export async function passDown(answer: IncomingMessage, descent: Descent): Promise<void> {
  const { request, reply } = descent
  const status = answer.statusCode ?? 502
  if (status === 200 && contentType(answer) === 'text/event-stream') return passEvents(answer, descent)
  if (status < 300 && needsLook(request)) return passBody(answer, descent, request)
  if (request !== null && status >= 300) await settleRefused(request, status)
  if (reply.isStream && request !== null) return reply.finish(200, await refusedAnswer(answer, request.id))
  reply.response.writeHead(status, headersDown(answer, true))
  await pipeTo(answer, reply)
}

function needsLook(request: OpenRequest | null): request is OpenRequest {
  return (
    request !== null &&
    (request.asked?.answered !== undefined || request.method === 'tools/list' || request.reply.isStream)
  )
}

/** Below 500 the server says that it did not take the call; above, nobody knows how far it came. */
function settleRefused(request: OpenRequest, status: number): Promise<void> {
  const message = statusText(status)
  return settle(request, status < 500 ? { kind: 'error', message } : { kind: 'lost', why: message })
}

function pipeTo(answer: IncomingMessage, { response }: Reply): Promise<void> {
  return new Promise((resolve) => {
    answer.on('error', () => response.destroy())
    response.on('close', resolve)
    response.on('finish', resolve)
    answer.pipe(response)
  })
}

async function passBody(
  answer: IncomingMessage,
  { client, reply, mostBytes }: Descent,
  request: OpenRequest,
): Promise<void> {
  const body = await readBody(answer, mostBytes).catch(() => undefined)
  if (body === undefined || body === null) {
    const why = body === null ? 'the server’s answer is too large' : 'the server broke off its answer'
    await settle(request, { kind: 'lost', why })
    return reply.fail(502, request.id, RPC.lost, why)
  }
  const message = readMessage(body)
  const isAnswer = message.kind === 'response' && idKey(message.id) === idKey(request.id)
  const fate = await client.gatekeeper.fromServer(message, isAnswer ? request.asked : null)
  if (!isAnswer) {
    const why = 'the server answered with something else'
    await settle(request, { kind: 'lost', why })
    return reply.fail(502, request.id, RPC.lost, why)
  }
  request.settle = null
  if (fate.kind !== 'forward') return reply.end()
  reply.finish(answer.statusCode ?? 200, fate.bytes, headersDown(answer, false))
  afterwards(fate, client)
}

function afterwards(fate: Fate, { later }: HttpClient): void {
  if (fate.kind === 'forward' && fate.after !== undefined) later.add(fate.after)
}

/** INVARIANT: events keep their order: behind one that takes a while, the next wait. */
function passEvents(answer: IncomingMessage, descent: Descent): Promise<void> {
  const { client, reply, request, mostBytes } = descent
  const { response } = reply
  const events = createEventStream(mostBytes)
  const mark = newMark()
  let behind: Promise<void> | null = null
  let isAnswered = false
  reply.begin(200, headersDown(answer, false))

  function look(event: StreamEvent): void | Promise<void> {
    if (event.id !== null) mark.lastEventId = event.id
    if (event.data === null) return write(event.raw)
    const message = readMessage(event.data)
    // SECURITY: A1 an event by another name is no message to most clients, and one to some.
    if (event.name !== 'message' && message.kind === 'malformed') return write(event.raw)
    const asker = askerOf(message)
    if (asker === request && asker !== null) isAnswered = true
    const fate = client.gatekeeper.fromServer(message, asker?.asked ?? null)
    const done = (decided: Fate): void => deliver(decided, message, event, asker)
    return fate instanceof Promise ? fate.then(done) : done(fate)
  }

  function askerOf(message: Message | Malformed): OpenRequest | null {
    if (message.kind !== 'response') return null
    return request !== null && idKey(request.id) === idKey(message.id) ? request : takeOwed(client, message.id)
  }

  function deliver(fate: Fate, message: Message | Malformed, event: StreamEvent, asker: OpenRequest | null): void {
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
    if (request === null || id === null || idKey(id) !== idKey(request.id)) return
    isAnswered = true
    const why = `the server’s answer was not passed on: ${message}`
    void settle(request, { kind: 'lost', why })
    write(eventBytes(errorAnswer(request.id, RPC.lost, why)))
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

  return new Promise((resolve) => {
    answer.on('data', take)
    response.on('drain', () => {
      if (behind === null) answer.resume()
    })
    const ended = async (isClean: boolean): Promise<void> => {
      await behind
      if (request !== null && !isAnswered) await unanswered(request, client, mark.lastEventId !== null)
      if (isClean) reply.end()
      else response.destroy()
      resolve()
    }
    answer.on('end', () => void ended(true))
    answer.on('error', () => void ended(false))
  })
}

/** A stream of a session that can be taken up again may still bring the answer; any other will not. */
async function unanswered(request: OpenRequest, client: HttpClient, canResume: boolean): Promise<void> {
  if (!request.isStateless && canResume && request.asked !== null && client.owed.size < MOST_OWED)
    client.owed.set(idKey(request.id), request)
  else await settle(request, { kind: 'lost', why: 'the server ended its stream before it answered' })
}

const MOST_OWED = 1_000
