import type { IncomingMessage } from 'node:http'
import type { Json } from '@countersign/core'
import type { LinkListener, ServerLink } from '../../relay/server-link.ts'
import type { Message, RawId, RpcNotification, RpcRequest } from '../../wire/message.ts'
import { idKey } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { errorResponse, RPC } from '../../wire/message-writer.ts'
import { dropBody } from '../messages/discard-body.ts'
import { newMark, type StreamMark } from '../messages/event-reader.ts'
import { memberOf, statelessHeaders, versionOf } from '../messages/protocol-headers.ts'
import type { HeaderList } from '../messages/raw-headers.ts'
import { contentType, JSON_TYPE, STREAM_TYPE } from '../messages/read-body.ts'
import { readAnswer, whyBroken } from '../messages/read-response.ts'
import { isAnswer, sessionIn, versionIn } from '../messages/session.ts'
import { tellRefused } from '../upstream/error-response.ts'
import { type LeavingRoom, type Upstream, unreachable, wasNeverSent } from '../upstream/upstream.ts'
import { Outgoing } from './outgoing-queue.ts'
import { listenOn, resumeAnswer, type StreamSource } from './stream-resumption.ts'
import { type HandedOver, type HandOver, NOT_TAKEN } from './transport-handover.ts'

/** A server at an address, for a client on two streams. */
export interface UrlServer {
  readonly upstream: Upstream
  /** The largest message it may send. */
  readonly maxMessageBytes: number
  /** A tool as its server advertised it, asked for once a call of it was judged: some arguments go into headers, too. */
  definitionOf(tool: string): Json | null
}

interface Running extends LeavingRoom {
  readonly id: RawId
  readonly isStateless: boolean
  isGone: boolean
  answered: boolean
}

/** What a server answers to a message that it did not expect at this address. */
const STRANGE: ReadonlySet<number> = new Set([400, 404, 405])

/** A notification keeps its place before what comes after it, but not for ever. */
const ORDER_MS = 5_000
const FAREWELL_MS = 1_000
const AS_MESSAGE: HeaderList = ['accept', `${JSON_TYPE}, ${STREAM_TYPE}`, 'content-type', JSON_TYPE]
const AS_READER: HeaderList = ['accept', STREAM_TYPE, 'content-type', JSON_TYPE]
/** INVARIANT: L10. Of messages that are not requests, so many are on their way at once. */
const MAX_BESIDE = 64

/**
 * The way to a server over Streamable HTTP, in both eras. Each message is a request of its own; what the server says to
 * it, and beside it, comes out as messages in the order of arrival.
 */
export function openUrlLink(
  { upstream, maxMessageBytes, definitionOf }: UrlServer,
  handOver: HandOver = async () => NOT_TAKEN,
): ServerLink {
  const running = new Map<string, Running>()
  const streams = new Set<IncomingMessage>()
  const everything = new AbortController()
  let listener: LinkListener | undefined
  let session: string | null = null
  let version: string | null = null
  let isLegacy = false
  let isPaused = false
  let beside = 0
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

  /** A message on one line. */
  function tell(bytes: Buffer): void {
    if (!isOver) listener?.messages([bytes])
  }

  /** Keeps a stream at the pace of the client. */
  function attach(answer: IncomingMessage): void {
    streams.add(answer)
    answer.on('close', () => streams.delete(answer))
    if (isPaused) answer.pause()
  }

  // ---- what is sent

  const outgoing = new Outgoing({
    send: (message) => (message.kind === 'request' ? sendRequest(message) : sendOther(message)),
    mayGo: () => !isOver && beside < MAX_BESIDE,
    drained: () => listener?.drained(),
    rested: windDown,
  })

  function sendRequest(message: RpcRequest): void {
    const { id, method } = message
    if (method === 'initialize') isLegacy = true
    const named = versionOf(message)
    const one: Running = { id, isStateless: named !== null, isGone: false, answered: false, leave() {} }
    running.set(idKey(id), one)
    const { promise: met, resolve: meet } = Promise.withResolvers<void>()
    void run(message, one, named, meet).finally(meet)
    // What comes next waits for the answer alone: its stream may stand for as long as its server likes.
    if (method === 'initialize') outgoing.blockForAnswer(met)
  }

  async function run(message: RpcRequest, one: Running, named: string | null, answered: () => void): Promise<void> {
    try {
      await ask(message, one, named, answered)
    } catch (error) {
      if (wasNeverSent(error) && !one.answered) tell(errorResponse(one.id, RPC.lost, unreachable(error)))
      else giveUp(one, unreachable(error))
    } finally {
      if (running.get(idKey(one.id)) === one) running.delete(idKey(one.id))
      windDown()
    }
  }

  function sendOther(message: Exclude<Message, RpcRequest>): void {
    if (message.kind === 'notification' && message.method === 'notifications/cancelled' && cancelled(message)) return
    beside += 1
    const work = upstream
      .open('POST', headersFor(message, versionOf(message)), message.bytes, everything.signal)
      .then((answer) => {
        dropBody(answer)
        if (answer.statusCode === 404 && session !== null) return sessionEnded()
        if (message.kind === 'notification' && message.method === 'notifications/initialized' && isLegacy)
          void listenOn(source, everything.signal)
      })
      .catch(() => {}) // nobody waits for an answer to it
      .finally(() => {
        beside -= 1
        outgoing.go()
      })
    if (message.kind === 'notification') outgoing.block(work, ORDER_MS)
  }

  /** In the stateless protocol a request is cancelled by leaving its stream. */
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

  // ---- what comes back

  async function ask(message: RpcRequest, one: Running, named: string | null, answered: () => void): Promise<void> {
    const answer = await upstream.open('POST', headersFor(message, named), message.bytes, one)
    const status = answer.statusCode ?? 0
    if (status === 404 && session !== null && !one.isStateless) {
      dropBody(answer)
      return sessionEnded()
    }
    const other = message.method === 'initialize' && STRANGE.has(status) ? await handedOver(message) : NOT_TAKEN
    if (other.kind === 'taken') return dropBody(answer)
    if (status >= 300 || status === 202 || status === 204) {
      const why = upstream.whyRefused(answer) ?? other.why
      const refused = (bytes: Buffer): void => {
        if (!one.answered) tell(bytes)
        one.answered = true
      }
      return tellRefused(answer, one.id, why, { tell: refused, lost: (_, said) => giveUp(one, said) })
    }
    if (message.method === 'initialize') session = sessionIn(answer.headers['mcp-session-id'])
    const mark = newMark()
    const look = (said: Message): void => {
      if (!isAnswer(said, one.id)) return
      one.answered = true
      if (message.method === 'initialize') version = versionIn(said)
      answered()
    }
    try {
      await takeAnswer(answer, mark, look)
    } catch (error) {
      if (one.isStateless || mark.lastEventId === null || one.isGone) return giveUp(one, whyBroken(error))
    }
    if (!one.answered && !one.isStateless && !one.isGone) await resume(one, mark, look)
    if (!one.answered) giveUp(one, 'the server ended its stream before it answered')
  }

  function resume(one: Running, mark: StreamMark, look: (said: Message) => void): Promise<void> {
    const gone = new AbortController()
    one.leave = () => gone.abort()
    return resumeAnswer(source, mark, gone.signal, () => one.answered, look)
  }

  function takeAnswer(answer: IncomingMessage, mark: StreamMark, look: (message: Message) => void): Promise<void> {
    if (contentType(answer) === STREAM_TYPE) attach(answer)
    return readAnswer(answer, maxMessageBytes, mark, (bytes) => {
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

  // ---- how it ends

  /** Only what comes first may lead elsewhere: others would wait for answers that nobody reads. */
  async function handedOver(first: RpcRequest): Promise<HandedOver> {
    if (session !== null || running.size > 1) return NOT_TAKEN
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
    void farewell().finally(() => {
      upstream.close()
      finish()
      listener?.ended({ exitCode: null, why })
    })
  }

  /** Lets an older server forget the session. */
  async function farewell(): Promise<void> {
    if (session === null) return
    await upstream.farewell('DELETE', headersFor(null, null), AbortSignal.timeout(FAREWELL_MS)).catch(() => {})
  }

  function windDown(): void {
    if (!isEnding || !outgoing.isEmpty) return
    for (const one of running.values()) if (!one.answered) return
    over('the connection was ended')
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
      over('the connection was ended')
      return finished
    },
  }
}
