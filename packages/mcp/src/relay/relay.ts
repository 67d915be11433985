import type { Readable, Writable } from 'node:stream'
import type { Exchange, Gatekeeper, MessageAction } from '../gatekeeper/call/exchange.ts'
import { skipSpace } from '../json/value-skipper.ts'
import { type ClientInfo, clientInfoFrom, UNKNOWN_CLIENT } from '../wire/client-info.ts'
import { splitLines } from '../wire/lines.ts'
import type { Malformed, Message, RpcNotification, RpcRequest } from '../wire/message.ts'
import { ambiguousCancellation, isCancellation, readLine } from '../wire/message-parser.ts'
import { createRelayEnding, type RelayEnd } from './ending.ts'
import { createInFlight, type Waiting } from './in-flight-requests.ts'
import { createOwnRequests } from './proxy-requests.ts'
import type { ServerLink } from './server-link.ts'
import { createServerSide, TOO_LONG } from './server-side.ts'
import { createRelayQueue } from './write-queue.ts'

/** Both ends of a relay, and the gatekeeper between them. */
export interface RelayOptions {
  readonly input: Readable
  readonly output: Writable
  readonly link: ServerLink
  readonly gatekeeper: Gatekeeper
  readonly maxLineBytes: number
  /** How long running calls may still be answered after the client stopped sending. */
  readonly lingerMs?: number
}

/** A running relay for one client on two streams. */
export interface Relay {
  /** Resolves when both ends are closed and every outcome is recorded. */
  readonly done: Promise<RelayEnd>
  /** Stops it: held calls are withdrawn, the server is ended. */
  stop(): void
}

const NEVER = new AbortController().signal

const NOT_OPENED = {
  'in-use': 'its id is in use; use another',
  cancelled: 'its id belongs to a cancelled request that may still be answered; use another',
  'too-many': 'too many requests are open; wait for an answer first',
} as const

/**
 * Relays messages between a client on two streams and a server. Whatever needs no decision is forwarded at once, byte
 * for byte and without a promise; a gated call waits on its own while other messages pass.
 */
export function startRelay(options: RelayOptions): Relay {
  const { input, output, link, gatekeeper } = options
  const flight = createInFlight()
  const working = new Set<Promise<unknown>>()
  const queue = createRelayQueue(input, output, link)
  let clientInfo: ClientInfo = UNKNOWN_CLIENT

  const own = createOwnRequests((bytes) => {
    queue.toServer(bytes)
    queue.flush()
  })
  const fromServer = createServerSide({
    gatekeeper,
    flight,
    queue,
    own,
    keep,
    delivered: () => ending.windDown(),
    stop: () => void link.stop(),
  })
  const ending = createRelayEnding({
    ...options,
    flight,
    giveUp: fromServer.giveUp,
    async serverGone(why) {
      own.close(why)
      await fromServer.lastDelivery
    },
    async settled() {
      queue.flush()
      while (working.size > 0 || queue.isBusy) {
        await Promise.allSettled(working)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  })
  const exchangeOf = (signal: AbortSignal): Exchange => ({
    ...clientInfo,
    signal,
    toClient(bytes) {
      queue.mention(bytes)
      queue.flush()
    },
    askServer: own.ask,
  })

  /** For messages that cannot be withdrawn. */
  let quiet = exchangeOf(NEVER)
  function updateClient(told: ClientInfo): void {
    if (told === clientInfo) return
    clientInfo = told
    quiet = exchangeOf(NEVER)
  }

  function keep(work: Promise<unknown>): void {
    working.add(work)
    const done = (): void => void working.delete(work)
    work.then(done, done)
  }

  function takeClientLine(bytes: Buffer): void {
    if (skipSpace(bytes, 0) >= bytes.length) return
    const message = readLine(bytes)
    if (message.kind === 'request') takeRequest(message)
    else if (message.kind === 'notification' && isCancellation(message)) takeCancellation(message)
    else judge(message)
  }

  function takeRequest(message: RpcRequest): void {
    const { id, method } = message
    if (method === 'initialize' || method === 'tools/call' || method === 'server/discover')
      updateClient(clientInfoFrom(message, clientInfo))
    const waiting = flight.open(id, method)
    if (typeof waiting === 'string') judge({ kind: 'malformed', code: 'not-rpc', id, message: NOT_OPENED[waiting] })
    else apply(gatekeeper.fromClient(message, waiting.gone === null ? quiet : exchangeOf(waiting.gone.signal)), waiting)
  }

  /** For messages without an open request. */
  function judge(message: Message | Malformed): void {
    apply(gatekeeper.fromClient(message, quiet), null)
  }

  function apply(fate: MessageAction | Promise<MessageAction>, waiting: Waiting | null): void {
    if (fate instanceof Promise)
      keep(
        fate.then((decided) => {
          applyNow(decided, waiting)
          if (!ending.isHalfClosed) return queue.flushSoon()
          queue.flush()
          ending.windDown()
        }),
      )
    else applyNow(fate, waiting)
  }

  /** INVARIANT: a request is answered once, by whoever removes it first. */
  function applyNow(fate: MessageAction, waiting: Waiting | null): void {
    const isOpen = waiting === null || flight.find(waiting.id) === waiting
    switch (fate.kind) {
      case 'drop':
        if (waiting !== null) flight.close(waiting)
        return
      case 'answer':
        if (waiting === null || flight.close(waiting)) queue.answerClient(fate.bytes)
        return
      case 'forward':
        if (!isOpen || ending.isOver) {
          if (fate.settle !== undefined) keep(fate.settle({ kind: 'unsent', why: 'nobody waits for it any more' }))
          return
        }
        if (waiting !== null) {
          waiting.asked = fate.asked ?? { id: waiting.id, method: waiting.method }
          waiting.settle = fate.settle ?? null
        }
        queue.toServer(fate.bytes)
    }
  }

  /** A call that was never sent need not be cancelled at the server. */
  function takeCancellation(message: RpcNotification): void {
    const odd = ambiguousCancellation(message)
    const span = message.members()?.spans.get('requestId')
    const id = odd === null && span !== undefined ? message.bytes.toString('utf8', span.from, span.to) : null
    const waiting = id === null ? undefined : flight.find(id)
    if (waiting === undefined || waiting.asked !== null) judge(odd ?? message)
    if (waiting === undefined) return
    flight.cancel(waiting)
    waiting.gone?.abort('cancelled')
    if (waiting.settle !== null) keep(waiting.settle({ kind: 'lost', why: 'the client cancelled it while it ran' }))
    waiting.settle = null
  }

  const lines = splitLines(options.maxLineBytes, {
    line: takeClientLine,
    tooLong: () => judge(TOO_LONG),
  })
  input.on('data', (chunk: Buffer) => {
    lines.push(chunk)
    queue.flush()
  })
  input.on('end', () => {
    lines.end()
    queue.flush()
    ending.inputEnded()
  })
  input.on('error', ending.stop)
  output.on('error', ending.stop)
  output.on('drain', queue.clientDrained)
  link.start({
    messages(list) {
      for (const bytes of list) fromServer.take(bytes)
      queue.flush()
      ending.windDown()
    },
    tooLong() {
      fromServer.tooLong()
      queue.flush()
    },
    lost(id, why) {
      fromServer.lost(id, why)
      queue.flush()
      ending.windDown()
    },
    drained: queue.serverDrained,
    ended: (end) => void ending.linkEnded(end),
  })
  return { done: ending.done, stop: ending.stop }
}
