import type { Asked, Fate, Gatekeeper } from '../gatekeeper/call/exchange.ts'
import { skipSpace } from '../json/value-skipper.ts'
import { readLooseAnswer } from '../wire/malformed-response.ts'
import type { Malformed, Message, RawId, RpcResponse } from '../wire/message.ts'
import { readLine } from '../wire/message-parser.ts'
import { errorAnswer, RPC } from '../wire/message-writer.ts'
import type { InFlight, Waiting } from './in-flight-requests.ts'
import type { OwnRequests } from './proxy-requests.ts'
import type { RelayQueue } from './write-queue.ts'

/** What the server's side of a relay works with. */
export interface ServerSideOptions {
  readonly gatekeeper: Gatekeeper
  readonly flight: InFlight
  readonly queue: RelayQueue
  readonly own: OwnRequests
  /** Work that must be done before the relay is. */
  keep(work: Promise<unknown>): void
  /** Told when something that took a while was delivered. */
  delivered(): void
  /** Ends the server: what it says cannot be followed any more. */
  stop(): void
}

/** What becomes of what the server says. */
export interface ServerSide {
  take(bytes: Buffer): void
  /** A message longer than the bound came. */
  tooLong(): void
  /** INVARIANT: L7, whoever waits for this hears that nobody knows; it was no answer of the server. */
  lost(id: RawId, why: string): void
  /** Answers a request whose answer will not come. */
  giveUp(waiting: Waiting, why: string): void
  /** Resolves when all that was said so far is delivered; null when it is. */
  readonly behind: Promise<void> | null
}

export const TOO_LONG: Malformed = { kind: 'malformed', code: 'too-large', id: null, message: 'the line is too long' }

export function createServerSide(options: ServerSideOptions): ServerSide {
  const { gatekeeper, flight, queue, own, keep } = options
  /** Messages of the server stay in order: behind one that takes a while, the next wait. */
  let behind: Promise<void> | null = null

  /**
   * SECURITY: A20 what nobody waits for is not passed on: some clients take `"1"` for `1`, or an answer that came before
   * its question, and nobody would have looked at it as the answer it is to them.
   */
  function takeAnswer(message: RpcResponse): void {
    const waiting = flight.find(message.id)
    if (waiting !== undefined) takeExpected(message, waiting)
    else if (message.failed && message.id === 'null') pass(message, null)
    else takeLate(message)
  }

  function takeExpected(message: RpcResponse, waiting: Waiting): void {
    if (waiting.asked === null) refuse(unwanted('an answer to a call that was never sent'))
    else {
      flight.close(waiting)
      pass(message, waiting.asked)
    }
  }

  /** The outcome of a cancelled call is told already; its answer is looked at like any other result. */
  function takeLate(message: RpcResponse): void {
    const late = flight.cancelled(message.id)
    if (late === undefined) {
      const twin = flight.findTwin(message.id)
      if (twin === undefined) refuse(unwanted('an answer that nobody waits for'))
      else refuse(unwanted('its id is a text for a number, or a number for a text', twin.id))
    } else if (late.method === 'tools/call') pass(message, { id: late.id, method: late.method })
    else pass(message, late.asked)
  }

  function pass(message: Message, asked: Asked | null): void {
    const fate = gatekeeper.fromServer(message, asked)
    if (behind === null && !(fate instanceof Promise)) {
      deliver(fate)
      return
    }
    const mine = Promise.all([fate, behind]).then(([decided]) => {
      deliver(decided)
      if (behind === mine) behind = null
      queue.flush()
      options.delivered()
    })
    behind = mine
    keep(mine)
  }

  function deliver(fate: Fate): void {
    if (fate.kind === 'answer') queue.answerServer(fate.bytes)
    if (fate.kind !== 'forward') return
    queue.toClient(fate.bytes)
    const { after } = fate
    if (after !== undefined) queue.afterwards(() => keep(after()))
  }

  /** What the server sent is no message: whoever waits for it hears so, rather than nothing. */
  function refuse(message: Malformed): void {
    void gatekeeper.fromServer(message, null)
    const why = `the server’s answer was not passed on: ${message.message}`
    for (const id of message.ids ?? (message.id === null ? [] : [message.id]))
      if (!own.refuse(id, message.message)) giveUpSent(id, why)
  }

  function giveUpSent(id: RawId, why: string): void {
    const waiting = flight.find(id)
    if (waiting?.asked != null) giveUp(waiting, why)
  }

  /** What cannot be read may still be somebody's answer: by the id that is found in it, or as the only one that is waited for. */
  function refuseUnread(message: Malformed, bytes: Buffer): void {
    const isRead = message.answers !== undefined || message.ids !== undefined
    const loose = isRead ? null : readLooseAnswer(bytes)
    if (loose === null || loose.id !== null) refuse(loose === null ? message : { ...message, id: loose.id })
    else {
      void gatekeeper.fromServer(message, null)
      giveUpUnknown(`the server’s answer was not passed on: ${message.message}`)
    }
  }

  /** An answer came, and nobody can say whose. */
  function giveUpUnknown(why: string): void {
    const sent = flight.list().filter((one) => one.asked !== null)
    const [only] = sent
    if (sent.length + own.size > 1) options.stop()
    else if (only !== undefined) giveUp(only, why)
    else own.close(why)
  }

  function giveUp(waiting: Waiting, why: string): void {
    if (!flight.close(waiting)) return
    queue.toClient(errorAnswer(waiting.id, RPC.lost, why))
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
      giveUpUnknown('the server’s answer is too long')
    },
    lost(id, why) {
      if (!own.refuse(id, why)) giveUpSent(id, why)
    },
    giveUp,
    get behind() {
      return behind
    },
  }
}

function unwanted(message: string, id: string | null = null): Malformed {
  return { kind: 'malformed', code: 'not-rpc', id, message }
}
