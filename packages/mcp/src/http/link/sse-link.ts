import type { IncomingMessage } from 'node:http'
import type { LinkListener, ServerLink } from '../../relay/server-link.ts'
import type { Message, RawId } from '../../wire/message.ts'
import { idKey } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { errorResponse, RPC } from '../../wire/message-writer.ts'
import { dropBody } from '../messages/discard-body.ts'
import { newMark, readEvents } from '../messages/event-reader.ts'
import { oneLine } from '../messages/event-stream.ts'
import { memberOf } from '../messages/protocol-headers.ts'
import type { HeaderList } from '../messages/raw-headers.ts'
import { contentType, JSON_TYPE, STREAM_TYPE } from '../messages/read-body.ts'
import { pause } from '../messages/session.ts'
import { statusText, tellRefused } from '../upstream/error-response.ts'
import { type Upstream, unreachable, wasNeverSent } from '../upstream/upstream.ts'
import { Outgoing } from './outgoing-queue.ts'
import { NOT_TAKEN, type NotTaken } from './transport-handover.ts'

/** A server that may speak the transport of 2024-11-05. */
export interface SseServer {
  readonly upstream: Upstream
  /** The largest message it may send. */
  readonly maxMessageBytes: number
}

/** How long a server has to say where it is to be told things. */
const ENDPOINT_MS = 5_000
/** What comes after a message waits until the server has it, but not for ever. */
const ORDER_MS = 1_000
const AS_MESSAGE: HeaderList = ['accept', JSON_TYPE, 'content-type', JSON_TYPE]
/** INVARIANT: L10. So many messages are on their way at once. */
const MAX_LEAVING = 64
/** A message that broke off on its way may have arrived: so long its answer may still come on the stream. */
const LATE_MS = 2_000

/**
 * The way to a server over HTTP with server-sent events, as it was before Streamable HTTP: all that it says comes on one
 * stream, whose first event names the address for what it is told. The end of the stream is the end of the session.
 * `refused` when the server has no such stream: with why, where it wants to know who asks.
 */
export async function openSseLink({ upstream, maxMessageBytes }: SseServer): Promise<ServerLink | NotTaken> {
  const gone = new AbortController()
  const nothing = (): null => null
  const late = pause(ENDPOINT_MS, gone.signal).then(nothing)
  const opened = upstream.open('GET', ['accept', STREAM_TYPE], null, gone.signal).catch(nothing)
  const stream = await Promise.race([opened, late])
  if (stream === null) {
    gone.abort()
    return NOT_TAKEN
  }
  const { promise: named, resolve: name } = Promise.withResolvers<URL | null>()
  // What comes in one piece with the address waits until somebody hears it.
  let isNamed = false
  const early: Buffer[] = []
  let hear = (said: Buffer): void => {
    if (isNamed) early.push(said)
  }
  const isStream = stream.statusCode === 200 && contentType(stream) === STREAM_TYPE
  const read = isStream
    ? readEvents(stream, maxMessageBytes, newMark(), (event) => {
        if (event.data === null) return
        if (event.name === 'endpoint') {
          isNamed = true
          name(endpointIn(event.data, upstream.url))
        } else if (event.name === 'message') hear(oneLine(event.data))
      })
    : Promise.reject(new Error('no stream'))
  const endpoint = await Promise.race([named, read.then(nothing, nothing), late])
  if (endpoint === null) {
    gone.abort()
    stream.destroy()
    return { kind: 'refused', why: isNamed ? ELSEWHERE : whyNone(stream, upstream) }
  }
  return linkOver(upstream, endpoint, stream, gone, read, (take) => {
    hear = take
    for (const said of early.splice(0)) take(said)
  })
}

const ELSEWHERE = 'the server names an address elsewhere for what it is told; give `--url` the one it has itself'

function whyNone(answer: IncomingMessage, upstream: Upstream): string | null {
  const { statusCode = 0 } = answer
  return upstream.whyRefused(answer) ?? (statusCode === 401 || statusCode === 403 ? statusText(statusCode) : null)
}

/** SECURITY: A1 only an address of the same origin: what is sent there may hold a credential. */
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
  let leaving = 0
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
      leaving += 1
      const work = post(message).finally(() => {
        leaving -= 1
        outgoing.go()
      })
      outgoing.block(work, ORDER_MS)
    },
    mayGo: () => !isOver && leaving < MAX_LEAVING,
    drained: () => listener?.drained(),
    rested: windDown,
  })

  async function post(message: Message): Promise<void> {
    if (message.kind === 'request') asked.add(idKey(message.id))
    if (message.kind === 'notification' && message.method === 'notifications/cancelled')
      asked.delete(idKey(JSON.stringify(memberOf(message, 'requestId')) ?? 'null'))
    try {
      const answer = await upstream.open('POST', AS_MESSAGE, message.bytes, gone.signal, endpoint)
      const status = answer.statusCode ?? 0
      if (status === 404) over('the server ended the session; start it again')
      // Nobody waits for an answer to anything else, and a good one says only that the message came.
      if (message.kind !== 'request' || (status >= 200 && status < 300)) return dropBody(answer)
      await tellRefused(answer, message.id, upstream.whyRefused(answer), { tell, lost })
    } catch (error) {
      if (message.kind !== 'request') return
      if (wasNeverSent(error)) tell(errorResponse(message.id, RPC.lost, unreachable(error)))
      else lost(message.id, unreachable(error))
    }
  }

  function lost(id: RawId, why: string): void {
    const giveUp = (): void => {
      if (isOver || !asked.delete(idKey(id))) return
      listener?.lost(id, why)
      windDown()
    }
    setTimeout(giveUp, LATE_MS).unref()
  }

  function windDown(): void {
    if (isEnding && asked.size === 0 && leaving === 0 && outgoing.isEmpty) over('the connection was ended')
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
        () => over('the server ended its stream'),
        (error: unknown) => over(error instanceof RangeError ? error.message : 'the stream of the server broke off'),
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
      over('the connection was ended')
    },
  }
}
