import type { IncomingMessage } from 'node:http'
import type { LinkListener, ServerLink } from '../../relay/server-link.ts'
import { idKey, type Message, type RawId } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { errorResponse, RPC } from '../../wire/message-writer.ts'
import { newPosition, oneLine, readEvents } from '../messages/event-stream.ts'
import { memberOf } from '../messages/protocol-headers.ts'
import type { HeaderList } from '../messages/raw-headers.ts'
import { contentType, discardBody, JSON_TYPE, STREAM_TYPE } from '../messages/read-body.ts'
import { reportRefusal, statusText } from '../upstream/error-response.ts'
import { type Upstream, unreachableReason, wasNeverSent } from '../upstream/upstream.ts'
import { Outgoing } from './outgoing-queue.ts'
import { pause } from './stream-resumption.ts'

/** A server that may use the transport of 2024-11-05. */
interface SseServer {
  readonly upstream: Upstream
  /** The largest message it may send. */
  readonly maxMessageBytes: number
}

/** The timeout for the endpoint event. */
const ENDPOINT_MS = 5_000
/** The next message waits until the server has this one, up to this long. */
const ORDER_MS = 1_000
const AS_MESSAGE: HeaderList = ['accept', JSON_TYPE, 'content-type', JSON_TYPE]
/** INVARIANT: L10. The number of messages in flight. */
const MAX_IN_FLIGHT = 64
/** A message whose connection broke may have arrived: its response may still come within this time. */
const GRACE_MS = 2_000

/**
 * Connects to a server with the older HTTP+SSE transport: one event stream carries all its messages, and the first
 * event names the URL for ours. The session ends with the stream. `refused` when the server has no such stream; with a
 * reason if it requires authentication.
 */
export async function openSseLink({ upstream, maxMessageBytes }: SseServer): Promise<ServerLink | NotHandedOver> {
  const gone = new AbortController()
  const nothing = (): null => null
  const late = pause(ENDPOINT_MS, gone.signal).then(nothing)
  const opened = upstream.open('GET', ['accept', STREAM_TYPE], null, gone.signal).catch(nothing)
  const stream = await Promise.race([opened, late])
  if (stream === null) {
    gone.abort()
    return NOT_HANDED_OVER
  }
  const { promise: named, resolve: name } = Promise.withResolvers<URL | null>()
  // Messages that arrive together with the endpoint wait for a listener.
  let isNamed = false
  const early: Buffer[] = []
  let onMessage = (said: Buffer): void => {
    if (isNamed) early.push(said)
  }
  const isStream = stream.statusCode === 200 && contentType(stream) === STREAM_TYPE
  const read = isStream
    ? readEvents(stream, maxMessageBytes, newPosition(), (event) => {
        if (event.data === null) return
        if (event.name === 'endpoint') {
          isNamed = true
          name(endpointIn(event.data, upstream.url))
        } else if (event.name === 'message') onMessage(oneLine(event.data))
      })
    : Promise.reject(new Error('no stream'))
  const endpoint = await Promise.race([named, read.then(nothing, nothing), late])
  if (endpoint === null) {
    gone.abort()
    stream.destroy()
    return { kind: 'refused', why: isNamed ? FOREIGN_ENDPOINT : refusalReason(stream, upstream) }
  }
  return linkOver(upstream, endpoint, stream, gone, read, (take) => {
    onMessage = take
    for (const said of early.splice(0)) take(said)
  })
}

const FOREIGN_ENDPOINT = 'the server names an endpoint on another origin; pass that server’s own URL to `--url`'

function refusalReason(answer: IncomingMessage, upstream: Upstream): string | null {
  const { statusCode = 0 } = answer
  return upstream.whyRefused(answer) ?? (statusCode === 401 || statusCode === 403 ? statusText(statusCode) : null)
}

/** SECURITY: A1 only a URL of the same origin: requests may carry credentials. */
function endpointIn(data: Buffer, from: URL): URL | null {
  const endpoint = URL.parse(data.toString('utf8').trim(), from.href)
  return endpoint !== null && endpoint.origin === from.origin ? endpoint : null
}

function linkOver(
  upstream: Upstream,
  endpoint: URL,
  stream: IncomingMessage,
  gone: AbortController,
  read: Promise<void>,
  onSaid: (take: (said: Buffer) => void) => void,
): ServerLink {
  const asked = new Set<string>()
  let listener: LinkListener | undefined
  let inFlight = 0
  let isEnding = false
  let isOver = false

  function tell(said: Buffer): void {
    if (isOver) return
    const message = readMessage(said)
    if (message.kind === 'response') asked.delete(idKey(message.id))
    listener?.messages([said])
    windDown()
  }

  const outgoing = new Outgoing({
    send(message) {
      inFlight += 1
      const work = post(message).finally(() => {
        inFlight -= 1
        outgoing.flush()
      })
      outgoing.block(work, ORDER_MS)
    },
    canSend: () => !isOver && inFlight < MAX_IN_FLIGHT,
    drained: () => listener?.drained(),
    idle: windDown,
  })

  async function post(message: Message): Promise<void> {
    if (message.kind === 'request') asked.add(idKey(message.id))
    if (message.kind === 'notification' && message.method === 'notifications/cancelled')
      asked.delete(idKey(JSON.stringify(memberOf(message, 'requestId')) ?? 'null'))
    try {
      const answer = await upstream.open('POST', AS_MESSAGE, message.bytes, gone.signal, endpoint)
      const status = answer.statusCode ?? 0
      if (status === 404) over('the server ended the session; start it again')
      // Other messages get no response, and a success only confirms receipt.
      if (message.kind !== 'request' || (status >= 200 && status < 300)) return discardBody(answer)
      await reportRefusal(answer, message.id, upstream.whyRefused(answer), { tell, lost })
    } catch (error) {
      if (message.kind !== 'request') return
      if (wasNeverSent(error)) tell(errorResponse(message.id, RPC.lost, unreachableReason(error)))
      else lost(message.id, unreachableReason(error))
    }
  }

  function lost(id: RawId, why: string): void {
    const giveUp = (): void => {
      if (isOver || !asked.delete(idKey(id))) return
      listener?.lost(id, why)
      windDown()
    }
    setTimeout(giveUp, GRACE_MS).unref()
  }

  function windDown(): void {
    if (isEnding && asked.size === 0 && inFlight === 0 && outgoing.isEmpty) over('the connection was closed')
  }

  function over(why: string): void {
    if (isOver) return
    isOver = true
    gone.abort()
    stream.destroy()
    upstream.close()
    listener?.ended({ exitCode: null, why })
  }

  return {
    start(heard) {
      listener = heard
      onSaid(tell)
      read.then(
        () => over('the server closed its stream'),
        (error: unknown) => over(error instanceof RangeError ? error.message : 'the stream of the server broke'),
      )
    },
    send: (messages) => outgoing.push(messages),
    end() {
      isEnding = true
      windDown()
    },
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    async stop() {
      over('the connection was closed')
    },
  }
}

/** Whether another transport took over. */
export type HandedOver = { readonly kind: 'taken' } | NotHandedOver

/** It did not; `why` if there is a better explanation than the first refusal. */
interface NotHandedOver {
  readonly kind: 'refused'
  readonly why: string | null
}

/** Tries to hand over to another transport; `rest` returns the messages to send, the refused `initialize` first. */
export type HandOver = (rest: () => readonly Buffer[]) => Promise<HandedOver>

export const NOT_HANDED_OVER: NotHandedOver = { kind: 'refused', why: null }
