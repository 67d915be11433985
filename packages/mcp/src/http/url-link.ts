import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Json } from '@countersign/core'
import { errorAnswer, RPC } from '../answers.ts'
import { idKey } from '../id-key.ts'
import type { Message, RawId, RpcNotification, RpcRequest } from '../message.ts'
import { readMessage } from '../read-message.ts'
import type { LinkListener, ServerLink } from '../server-link.ts'
import { newMark, readEvents, type StreamMark } from './answer-stream.ts'
import { oneLine } from './event-stream.ts'
import { listenOn, resumeAnswer, type StreamSource } from './follow-stream.ts'
import { memberOf, statelessHeaders, versionOf } from './message-headers.ts'
import { refusedAnswer } from './refused-answer.ts'
import { isAnswer, onceDone, sessionIn, versionIn } from './session-facts.ts'
import { contentType, readBody, type Upstream, unreachable } from './upstream.ts'

/** A server at an address, for a client on two streams. */
export interface UrlServer {
  readonly upstream: Upstream
  /** The largest message it may send. */
  readonly mostMessageBytes: number
  /** A tool as its server advertised it, asked for once a call of it was judged: some arguments go into headers, too. */
  definitionOf(tool: string): Json | null
}

interface Running {
  readonly id: RawId
  readonly isStateless: boolean
  readonly gone: AbortController
  answered: boolean
}

/** A notification keeps its place before what comes after it, but not for ever. */
const ORDER_MS = 5_000
const FAREWELL_MS = 1_000
const ROOM_MESSAGES = 256
/** INVARIANT: L10. Of messages that are not requests, so many are on their way at once. */
const MOST_BESIDE = 64

/**
 * The way to a server over Streamable HTTP, in both eras. Each message is a request of its own; what the server says to
 * it, and beside it, comes out as messages in the order of arrival.
 */
export function openUrlLink({ upstream, mostMessageBytes, definitionOf }: UrlServer): ServerLink {
  const running = new Map<string, Running>()
  const streams = new Set<IncomingMessage>()
  const everything = new AbortController()
  const queue: Buffer[] = []
  let listener: LinkListener | undefined
  let session: string | null = null
  let version: string | null = null
  let isLegacy = false
  let isPaused = false
  let isBlocked = false
  let beside = 0
  let isEnding = false
  let isOver = false
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()

  function headersFor(message: Message | null): OutgoingHttpHeaders {
    const headers: OutgoingHttpHeaders = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    }
    const named = message === null ? null : versionOf(message)
    if (message !== null && named !== null) return { ...headers, ...statelessHeaders(message, named, definitionOf) }
    if (session !== null) headers['mcp-session-id'] = session
    if (version !== null) headers['mcp-protocol-version'] = version
    return headers
  }

  function tell(bytes: Buffer): void {
    if (!isOver) listener?.messages([oneLine(bytes)])
  }

  /** Keeps a stream at the pace of the client. */
  function attach(answer: IncomingMessage): void {
    streams.add(answer)
    answer.on('close', () => streams.delete(answer))
    if (isPaused) answer.pause()
  }

  // ---- what is sent

  function pump(): void {
    while (!isBlocked && !isOver && beside < MOST_BESIDE) {
      const bytes = queue.shift()
      if (bytes === undefined) break
      if (queue.length === ROOM_MESSAGES - 1) listener?.drained()
      const message = readMessage(bytes)
      if (message.kind === 'request') sendRequest(message)
      else if (message.kind !== 'malformed') sendOther(message)
    }
    windDown()
  }

  function block(until: Promise<unknown>, mostMs: number | null): void {
    isBlocked = true
    onceDone(until, mostMs, () => {
      isBlocked = false
      pump()
    })
  }

  function sendRequest(message: RpcRequest): void {
    const { id, method } = message
    if (method === 'initialize') isLegacy = true
    const gone = new AbortController()
    const one: Running = { id, isStateless: versionOf(message) !== null, gone, answered: false }
    running.set(idKey(id), one)
    const work = ask(message, one)
      .catch((error: unknown) => giveUp(one, error instanceof RangeError ? error.message : unreachable(error)))
      .finally(() => {
        running.delete(idKey(id))
        windDown()
      })
    if (method === 'initialize') block(work, null)
  }

  function sendOther(message: Exclude<Message, RpcRequest>): void {
    if (message.kind === 'notification' && message.method === 'notifications/cancelled' && cancelled(message)) return
    beside += 1
    const work = upstream
      .open('POST', headersFor(message), message.bytes, everything.signal)
      .then((answer) => {
        answer.resume()
        if (answer.statusCode === 404 && session !== null) return sessionGone()
        if (message.kind === 'notification' && message.method === 'notifications/initialized' && isLegacy)
          void listenOn(source, everything.signal)
      })
      .catch(() => {}) // nobody waits for an answer to it
      .finally(() => {
        beside -= 1
        pump()
      })
    if (message.kind === 'notification') block(work, ORDER_MS)
  }

  /** In the stateless era a request is cancelled by leaving its stream. */
  function cancelled(message: RpcNotification): boolean {
    const id = memberOf(message, 'requestId')
    const one = running.get(idKey(JSON.stringify(id) ?? 'null'))
    if (one === undefined || !one.isStateless) return false
    one.answered = true
    one.gone.abort()
    return true
  }

  // ---- what comes back

  async function ask(message: RpcRequest, one: Running): Promise<void> {
    const { signal } = one.gone
    const answer = await upstream.open('POST', headersFor(message), message.bytes, signal)
    const status = answer.statusCode ?? 0
    if (status === 404 && session !== null && !one.isStateless) {
      answer.resume()
      return sessionGone()
    }
    if (status >= 400 || status === 202 || status === 204 || (status >= 300 && status < 400)) {
      one.answered = true
      return tell(await refusedAnswer(answer, one.id))
    }
    if (message.method === 'initialize') session = sessionIn(answer.headers['mcp-session-id'])
    const mark = newMark()
    await takeAnswer(answer, mark, (said) => {
      if (isAnswer(said, one.id)) {
        one.answered = true
        if (message.method === 'initialize') version = versionIn(said)
      }
    }).catch((error: unknown) => {
      if (one.isStateless || mark.lastEventId === null || signal.aborted) throw error
    })
    if (!one.isStateless)
      await resumeAnswer(
        source,
        mark,
        signal,
        () => one.answered,
        (said) => {
          if (isAnswer(said, one.id)) one.answered = true
        },
      )
    if (!one.answered) giveUp(one, 'the server ended its stream before it answered')
  }

  async function takeAnswer(
    answer: IncomingMessage,
    mark: StreamMark,
    look: (message: Message) => void,
  ): Promise<void> {
    const take = (data: Buffer): void => {
      const bytes = oneLine(data)
      const message = readMessage(bytes)
      if (message.kind !== 'malformed') look(message)
      tell(bytes)
    }
    if (contentType(answer) === 'text/event-stream') {
      attach(answer)
      return readEvents(answer, mostMessageBytes, mark, ({ data, name }) => {
        if (data !== null && name === 'message') take(data)
      })
    }
    const body = await readBody(answer, mostMessageBytes)
    if (body === null) throw new RangeError('the server’s answer is too large')
    if (body.length > 0) take(body)
  }

  const source: StreamSource = {
    open(lastEventId, signal) {
      const last = lastEventId === null ? {} : { 'last-event-id': lastEventId }
      return upstream.open('GET', { ...headersFor(null), accept: 'text/event-stream', ...last }, null, signal)
    },
    take: takeAnswer,
    notFound() {
      if (session !== null) sessionGone()
    },
  }

  function giveUp(one: Running, why: string): void {
    if (one.answered) return
    one.answered = true
    tell(errorAnswer(one.id, RPC.lost, why))
  }

  // ---- how it ends

  function sessionGone(): void {
    session = null
    over('the server ended the session; start it again')
  }

  function over(why: string): void {
    if (isOver) return
    isOver = true
    everything.abort()
    for (const { gone } of running.values()) gone.abort()
    void farewell().finally(() => {
      upstream.close()
      finish()
      listener?.ended({ exitCode: null, why })
    })
  }

  /** Lets an older server forget the session. */
  async function farewell(): Promise<void> {
    if (session === null) return
    const late = AbortSignal.timeout(FAREWELL_MS)
    const answer = await upstream.open('DELETE', headersFor(null), null, late).catch(() => null)
    answer?.resume()
  }

  function windDown(): void {
    if (isEnding && running.size === 0 && queue.length === 0) over('the connection was ended')
  }

  return {
    start(heard) {
      listener = heard
    },
    send(messages) {
      queue.push(...messages)
      pump()
      return queue.length < ROOM_MESSAGES
    },
    end() {
      isEnding = true
      windDown()
    },
    pause() {
      isPaused = true
      for (const stream of streams) stream.pause()
    },
    resume() {
      isPaused = false
      for (const stream of streams) stream.resume()
    },
    stop() {
      over('the connection was ended')
      return finished
    },
  }
}
