import type { Gatekeeper, MessageAction, SentRequest } from '../gatekeeper/call/exchange.ts'
import { skipSpace } from '../json/value-skipper.ts'
import { readMalformedResponse } from '../wire/malformed-response.ts'
import type { Malformed, Message, RawId, RpcResponse } from '../wire/message.ts'
import { readLine } from '../wire/message-parser.ts'
import { errorResponse, RPC } from '../wire/message-writer.ts'
import type { InFlight, Waiting } from './in-flight-requests.ts'
import type { OwnRequests } from './proxy-requests.ts'
import type { RelayQueue } from './write-queue.ts'

/** What the server side of a relay needs. */
export interface ServerSideOptions {
  readonly gatekeeper: Gatekeeper
  readonly flight: InFlight
  readonly queue: RelayQueue
  readonly own: OwnRequests
  /** Work that must finish before the relay ends. */
  keep(work: Promise<unknown>): void
  /** Called after a delayed delivery. */
  delivered(): void
  /** Stops the server: its output can no longer be followed. */
  stop(): void
}

/** Handles the server’s messages. */
export interface ServerSide {
  take(bytes: Buffer): void
  /** A message over the limit came. */
  tooLong(): void
  /** INVARIANT: L7, the caller is told that the outcome is unknown. */
  lost(id: RawId, why: string): void
  /** Fails a request whose response will not come. */
  giveUp(waiting: Waiting, why: string): void
  /** Resolves when everything so far is delivered; null when it is. */
  readonly lastDelivery: Promise<void> | null
}

export const TOO_LONG: Malformed = { kind: 'malformed', code: 'too-large', id: null, message: 'the line is too long' }

export function createServerSide(options: ServerSideOptions): ServerSide {
  const { gatekeeper, flight, queue, own, keep } = options
  /** The server’s messages stay in order: the next wait for a slow one. */
  let lastDelivery: Promise<void> | null = null

  /**
   * SECURITY: A20 a response without a request is not forwarded: some clients take `"1"` for `1`, or a response that
   * came before its request, and nobody would have checked it as such.
   */
  function takeAnswer(message: RpcResponse): void {
    const waiting = flight.find(message.id)
    if (waiting !== undefined) takeExpected(message, waiting)
    else if (message.failed && message.id === 'null') pass(message, null)
    else takeLate(message)
  }

  function takeExpected(message: RpcResponse, waiting: Waiting): void {
    if (waiting.asked === null) refuse(unexpectedResponse('a response to a call that was never sent'))
    else {
      flight.close(waiting)
      pass(message, waiting.asked)
    }
  }

  /** The outcome of a cancelled call is already recorded; its response is checked like any other. */
  function takeLate(message: RpcResponse): void {
    const late = flight.cancelled(message.id)
    if (late === undefined) {
      const twin = flight.findTwin(message.id)
      if (twin === undefined) refuse(unexpectedResponse('a response that nobody waits for'))
      else refuse(unexpectedResponse('its id is a string instead of a number, or vice versa', twin.id))
    } else if (late.method === 'tools/call') pass(message, { id: late.id, method: late.method })
    else pass(message, late.asked)
  }

  function pass(message: Message, asked: SentRequest | null): void {
    const fate = gatekeeper.fromServer(message, asked)
    if (lastDelivery === null && !(fate instanceof Promise)) {
      deliver(fate)
      return
    }
    const mine = Promise.all([fate, lastDelivery]).then(([decided]) => {
      deliver(decided)
      if (lastDelivery === mine) lastDelivery = null
      queue.flush()
      options.delivered()
    })
    lastDelivery = mine
    keep(mine)
  }

  function deliver(fate: MessageAction): void {
    if (fate.kind === 'answer') queue.answerServer(fate.bytes)
    if (fate.kind !== 'forward') return
    queue.toClient(fate.bytes)
    const { after } = fate
    if (after !== undefined) queue.afterwards(() => keep(after()))
  }

  /** Tells the caller when its response is malformed, rather than leaving it waiting. */
  function refuse(message: Malformed): void {
    void gatekeeper.fromServer(message, null)
    const why = `the server’s response was not forwarded: ${message.message}`
    for (const id of message.ids ?? (message.id === null ? [] : [message.id]))
      if (!own.refuse(id, message.message)) giveUpSent(id, why)
  }

  function giveUpSent(id: RawId, why: string): void {
    const waiting = flight.find(id)
    if (waiting?.asked != null) giveUp(waiting, why)
  }

  /** An unreadable line may be a response: to the id found in it, or to the only open request. */
  function refuseUnread(message: Malformed, bytes: Buffer): void {
    const isRead = message.answers !== undefined || message.ids !== undefined
    const partial = isRead ? null : readMalformedResponse(bytes)
    if (partial === null || partial.id !== null) refuse(partial === null ? message : { ...message, id: partial.id })
    else {
      void gatekeeper.fromServer(message, null)
      giveUpUnknown(`the server’s response was not forwarded: ${message.message}`)
    }
  }

  /** A response came, and it is unclear to which request. */
  function giveUpUnknown(why: string): void {
    const sent = flight.list().filter((one) => one.asked !== null)
    const [only] = sent
    if (sent.length + own.size > 1) options.stop()
    else if (only !== undefined) giveUp(only, why)
    else own.close(why)
  }

  function giveUp(waiting: Waiting, why: string): void {
    if (!flight.close(waiting)) return
    queue.toClient(errorResponse(waiting.id, RPC.lost, why))
    if (waiting.settle !== null) keep(waiting.settle({ kind: 'lost', why }))
    waiting.gone?.abort('gone')
  }

  return {
    take(bytes) {
      if (skipSpace(bytes, 0) >= bytes.length) return
      const message = readLine(bytes)
      if (message.kind === 'malformed') refuseUnread(message, bytes)
      else if (message.kind !== 'response') pass(message, null)
      else if (!own.take(message)) takeAnswer(message)
    },
    tooLong() {
      void gatekeeper.fromServer(TOO_LONG, null)
      giveUpUnknown('the server’s response is too long')
    },
    lost(id, why) {
      if (!own.refuse(id, why)) giveUpSent(id, why)
    },
    giveUp,
    get lastDelivery() {
      return lastDelivery
    },
  }
}

function unexpectedResponse(message: string, id: string | null = null): Malformed {
  return { kind: 'malformed', code: 'not-rpc', id, message }
}
