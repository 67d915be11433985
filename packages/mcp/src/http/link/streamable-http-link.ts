import type { IncomingMessage } from 'node:http'
import type { Json } from '@countersign/core'
import type { LinkListener, ServerLink } from '../../relay/server-link.ts'
import type { Message, RawId, RpcNotification, RpcRequest } from '../../wire/message.ts'
import { idKey } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { errorResponse, RPC } from '../../wire/message-writer.ts'
import { brokenReason, newPosition, readResponse, type StreamPosition } from '../messages/event-stream.ts'
import { memberOf, statelessHeaders, versionOf } from '../messages/protocol-headers.ts'
import type { HeaderList } from '../messages/raw-headers.ts'
import { contentType, discardBody, JSON_TYPE, STREAM_TYPE } from '../messages/read-body.ts'
import { isAnswer, sessionIn, versionIn } from '../messages/session.ts'
import { reportRefusal } from '../upstream/error-response.ts'
import { type CancelHandle, type Upstream, unreachableReason, wasNeverSent } from '../upstream/upstream.ts'
import { Outgoing } from './outgoing-queue.ts'
import { type HandedOver, type HandOver, NOT_HANDED_OVER } from './sse-link.ts'
import { followServerStream, resumeResponse, type StreamSource } from './stream-resumption.ts'

/** An HTTP server, for a client on stdio. */
export interface HttpServerOptions {
  readonly upstream: Upstream
  /** The largest message it may send. */
  readonly maxMessageBytes: number
  /** A tool’s definition, requested after a call was judged: some arguments are repeated in headers. */
  definitionOf(tool: string): Json | null
}

interface Running extends CancelHandle {
  readonly id: RawId
  readonly isStateless: boolean
  isGone: boolean
  answered: boolean
}

/** Statuses of a server that does not know this transport. */
const WRONG_TRANSPORT: ReadonlySet<number> = new Set([400, 404, 405])

/** A notification stays ahead of later messages, up to this long. */
const ORDER_MS = 5_000
const CLOSE_MS = 1_000
const AS_MESSAGE: HeaderList = ['accept', `${JSON_TYPE}, ${STREAM_TYPE}`, 'content-type', JSON_TYPE]
const AS_READER: HeaderList = ['accept', STREAM_TYPE, 'content-type', JSON_TYPE]
/** INVARIANT: L10. Messages in flight that are not requests. */
const MAX_OTHER_IN_FLIGHT = 64

/**
 * Connects to a server over Streamable HTTP, for all protocol versions. Each message is one HTTP request; the server’s
 * messages are emitted in order of arrival.
 */
export function openStreamableHttpLink(
  { upstream, maxMessageBytes, definitionOf }: HttpServerOptions,
  handOver: HandOver = async () => NOT_HANDED_OVER,
): ServerLink {
  const running = new Map<string, Running>()
  const streams = new Set<IncomingMessage>()
  const everything = new AbortController()
  let listener: LinkListener | undefined
  let session: string | null = null
  let version: string | null = null
  let isLegacy = false
  let isPaused = false
  let otherInFlight = 0
  let isEnding = false
  let isOver = false
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()

  function headersFor(message: Message | null, named: string | null, first: HeaderList = AS_MESSAGE): HeaderList {
    if (message !== null && named !== null) return [...first, ...statelessHeaders(message, named, definitionOf)]
    const headers = [...first]
    if (session !== null) headers.push('mcp-session-id', session)
    if (version !== null) headers.push('mcp-protocol-version', version)
    return headers
  }

  function tell(bytes: Buffer): void {
    if (!isOver) listener?.messages([bytes])
  }

  /** Lets the client’s pace control a stream. */
  function attach(answer: IncomingMessage): void {
    streams.add(answer)
    answer.on('close', () => streams.delete(answer))
    if (isPaused) answer.pause()
  }

  // ---- sending

  const outgoing = new Outgoing({
    send: (message) => (message.kind === 'request' ? sendRequest(message) : sendOther(message)),
    canSend: () => !isOver && otherInFlight < MAX_OTHER_IN_FLIGHT,
    drained: () => listener?.drained(),
    idle: windDown,
  })

  function sendRequest(message: RpcRequest): void {
    const { id, method } = message
    if (method === 'initialize') isLegacy = true
    const named = versionOf(message)
    const one: Running = { id, isStateless: named !== null, isGone: false, answered: false, leave() {} }
    running.set(idKey(id), one)
    const { promise: met, resolve: meet } = Promise.withResolvers<void>()
    void run(message, one, named, meet).finally(meet)
    // Later messages wait for the response only: the stream may stay open.
    if (method === 'initialize') outgoing.blockForResponse(met)
  }

  async function run(message: RpcRequest, one: Running, named: string | null, answered: () => void): Promise<void> {
    try {
      await ask(message, one, named, answered)
    } catch (error) {
      if (wasNeverSent(error) && !one.answered) tell(errorResponse(one.id, RPC.lost, unreachableReason(error)))
      else giveUp(one, unreachableReason(error))
    } finally {
      if (running.get(idKey(one.id)) === one) running.delete(idKey(one.id))
      windDown()
    }
  }

  function sendOther(message: Exclude<Message, RpcRequest>): void {
    if (message.kind === 'notification' && message.method === 'notifications/cancelled' && cancelled(message)) return
    otherInFlight += 1
    const work = upstream
      .open('POST', headersFor(message, versionOf(message)), message.bytes, everything.signal)
      .then((answer) => {
        discardBody(answer)
        if (answer.statusCode === 404 && session !== null) return sessionEnded()
        if (message.kind === 'notification' && message.method === 'notifications/initialized' && isLegacy)
          void followServerStream(source, everything.signal)
      })
      .catch(() => {}) // it expects no response
      .finally(() => {
        otherInFlight -= 1
        outgoing.flush()
      })
    if (message.kind === 'notification') outgoing.block(work, ORDER_MS)
  }

  /** In the stateless protocol, closing its stream cancels a request. */
  function cancelled(message: RpcNotification): boolean {
    const id = memberOf(message, 'requestId')
    const one = running.get(idKey(JSON.stringify(id) ?? 'null'))
    if (one === undefined || !one.isStateless) return false
    one.answered = true
    abandon(one)
    return true
  }

  function abandon(one: Running): void {
    one.isGone = true
    one.leave()
  }

  // ---- receiving

  async function ask(message: RpcRequest, one: Running, named: string | null, answered: () => void): Promise<void> {
    const answer = await upstream.open('POST', headersFor(message, named), message.bytes, one)
    const status = answer.statusCode ?? 0
    if (status === 404 && session !== null && !one.isStateless) {
      discardBody(answer)
      return sessionEnded()
    }
    const other =
      message.method === 'initialize' && WRONG_TRANSPORT.has(status) ? await handedOver(message) : NOT_HANDED_OVER
    if (other.kind === 'taken') return discardBody(answer)
    if (status >= 300 || status === 202 || status === 204) {
      const why = upstream.whyRefused(answer) ?? other.why
      const refused = (bytes: Buffer): void => {
        if (!one.answered) tell(bytes)
        one.answered = true
      }
      return reportRefusal(answer, one.id, why, { tell: refused, lost: (_, said) => giveUp(one, said) })
    }
    if (message.method === 'initialize') session = sessionIn(answer.headers['mcp-session-id'])
    const position = newPosition()
    const look = (said: Message): void => {
      if (!isAnswer(said, one.id)) return
      one.answered = true
      if (message.method === 'initialize') version = versionIn(said)
      answered()
    }
    try {
      await takeAnswer(answer, position, look)
    } catch (error) {
      if (one.isStateless || position.lastEventId === null || one.isGone) return giveUp(one, brokenReason(error))
    }
    if (!one.answered && !one.isStateless && !one.isGone) await resume(one, position, look)
    if (!one.answered) giveUp(one, 'the server closed its stream without a response')
  }

  function resume(one: Running, position: StreamPosition, look: (said: Message) => void): Promise<void> {
    const gone = new AbortController()
    one.leave = () => gone.abort()
    return resumeResponse(source, position, gone.signal, () => one.answered, look)
  }

  function takeAnswer(
    answer: IncomingMessage,
    position: StreamPosition,
    look: (message: Message) => void,
  ): Promise<void> {
    if (contentType(answer) === STREAM_TYPE) attach(answer)
    return readResponse(answer, maxMessageBytes, position, (bytes) => {
      const message = readMessage(bytes)
      if (message.kind !== 'malformed') look(message)
      tell(bytes)
      windDown()
    })
  }

  const source: StreamSource = {
    open(lastEventId, signal) {
      const last = lastEventId === null ? [] : ['last-event-id', lastEventId]
      return upstream.open('GET', [...headersFor(null, null, AS_READER), ...last], null, signal)
    },
    take: takeAnswer,
  }

  function giveUp(one: Running, why: string): void {
    if (one.answered) return
    one.answered = true
    if (!isOver) listener?.lost(one.id, why)
  }

  // ---- ending

  /** Only the first message may switch transports: others would wait for responses that nobody reads. */
  async function handedOver(first: RpcRequest): Promise<HandedOver> {
    if (session !== null || running.size > 1) return NOT_HANDED_OVER
    const handed = await handOver(() => [first.bytes, ...outgoing.takeRest()])
    if (handed.kind === 'refused') return handed
    isOver = true
    everything.abort()
    finish()
    return handed
  }

  function sessionEnded(): void {
    session = null
    over('the server ended the session; start it again')
  }

  function over(why: string): void {
    if (isOver) return
    isOver = true
    everything.abort()
    for (const one of running.values()) abandon(one)
    void closeSession().finally(() => {
      upstream.close()
      finish()
      listener?.ended({ exitCode: null, why })
    })
  }

  /** Ends the session at an older server. */
  async function closeSession(): Promise<void> {
    if (session === null) return
    await upstream.closeSession('DELETE', headersFor(null, null), AbortSignal.timeout(CLOSE_MS)).catch(() => {})
  }

  function windDown(): void {
    if (!isEnding || !outgoing.isEmpty) return
    for (const one of running.values()) if (!one.answered) return
    over('the connection was closed')
  }

  return {
    start(heard) {
      listener = heard
    },
    send: (messages) => outgoing.push(messages),
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
      over('the connection was closed')
      return finished
    },
  }
}
