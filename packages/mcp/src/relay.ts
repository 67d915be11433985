import type { Readable, Writable } from 'node:stream'
import { errorAnswer, RPC } from './answers.ts'
import { type ClientTraits, traitsFrom, UNKNOWN_CLIENT } from './client-traits.ts'
import type { Asked, Exchange, Fate, Gatekeeper } from './gatekeeper.ts'
import { createInFlight, type Waiting } from './in-flight.ts'
import { createLines } from './lines.ts'
import type { Malformed, Message, RpcNotification, RpcRequest, RpcResponse } from './message.ts'
import { createOwnRequests } from './own-requests.ts'
import { readLine } from './read-message.ts'
import { createRelayQueue } from './relay-queue.ts'
import type { LinkEnd, ServerLink } from './server-link.ts'
import { skipSpace } from './skip-json.ts'

/** Both ends of a relay, and the gatekeeper between them. */
export interface RelayOptions {
  readonly input: Readable
  readonly output: Writable
  readonly link: ServerLink
  readonly gatekeeper: Gatekeeper
  readonly mostLineBytes: number
  /** How long calls that run may still be answered after the client said that nothing more will come. */
  readonly lingerMs?: number
}

/** How a relay ended, and who went first. */
export interface RelayEnd extends LinkEnd {
  readonly by: 'client' | 'server'
}

/** A running relay of one client on two streams. */
export interface Relay {
  /** Resolves when both ends are gone and every outcome is told. */
  readonly done: Promise<RelayEnd>
  /** Ends it: what is held is withdrawn, the server is ended. */
  stop(): void
}

const LINGER_MS = 10_000
/** How long a server may take to end by itself after its input did. */
const GRACE_MS = 2_000
const NEVER = new AbortController().signal
const TOO_LONG: Malformed = { kind: 'malformed', code: 'too-large', id: null, message: 'the line is too long' }

/**
 * Passes messages between a client on two streams and a server. What needs no look goes on at once, byte for byte and
 * without a promise; a gated call waits by itself, and everything else passes it.
 */
export function startRelay(options: RelayOptions): Relay {
  const { input, output, link, gatekeeper } = options
  const flight = createInFlight()
  const working = new Set<Promise<unknown>>()
  const { promise: done, resolve: finish } = Promise.withResolvers<RelayEnd>()
  const queue = createRelayQueue(input, output, link)
  let traits: ClientTraits = UNKNOWN_CLIENT
  let inputEnded = false
  let ended = false
  let timer: NodeJS.Timeout | undefined
  /** Messages of the server stay in order: behind one that takes a while, the next wait. */
  let behind: Promise<void> | null = null

  const own = createOwnRequests((bytes) => {
    queue.toServer(bytes)
    queue.flush()
  })
  const exchangeOf = (signal: AbortSignal): Exchange => ({
    ...traits,
    signal,
    toClient(bytes) {
      queue.toClient(bytes)
      queue.flush()
    },
    askServer: own.ask,
  })

  /** For messages that nothing can withdraw. */
  let quiet = exchangeOf(NEVER)
  function heed(told: ClientTraits): void {
    if (told === traits) return
    traits = told
    quiet = exchangeOf(NEVER)
  }

  function keep(work: Promise<unknown>): void {
    working.add(work)
    void work.finally(() => working.delete(work)).catch(() => {})
  }

  // ---- from the client

  function takeClientLine(bytes: Buffer): void {
    if (skipSpace(bytes, 0) >= bytes.length) return
    const message = readLine(bytes)
    if (message.kind === 'request') takeRequest(message)
    else if (message.kind !== 'notification' || !isCancellation(message) || !cancel(message)) judge(message)
  }

  function takeRequest(message: RpcRequest): void {
    const { id, method } = message
    if (method === 'initialize' || method === 'tools/call' || method === 'server/discover')
      heed(traitsFrom(message, traits))
    const waiting = flight.open(id, method)
    if (waiting === undefined)
      judge({ kind: 'malformed', code: 'not-rpc', id, message: 'its id is in use; take another' })
    else apply(gatekeeper.fromClient(message, waiting.gone === null ? quiet : exchangeOf(waiting.gone.signal)), waiting)
  }

  /** For what nobody waits for. */
  function judge(message: Message | Malformed): void {
    apply(gatekeeper.fromClient(message, quiet), null)
  }

  function apply(fate: Fate | Promise<Fate>, waiting: Waiting | null): void {
    if (fate instanceof Promise)
      keep(
        fate.then((decided) => {
          applyNow(decided, waiting)
          if (!inputEnded) return queue.flushSoon()
          queue.flush()
          windDown()
        }),
      )
    else applyNow(fate, waiting)
  }

  /** INVARIANT: a request is answered once: whoever took it out first has answered it. */
  function applyNow(fate: Fate, waiting: Waiting | null): void {
    const isOpen = waiting === null || flight.find(waiting.id) === waiting
    switch (fate.kind) {
      case 'drop':
        if (waiting !== null) flight.close(waiting)
        return
      case 'answer':
        if (waiting === null || flight.close(waiting)) queue.toClient(fate.bytes)
        return
      case 'forward':
        if (!isOpen || ended) {
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

  /** True when nobody but us has heard of the call: then nobody need hear of its end. */
  function cancel(message: RpcNotification): boolean {
    const span = message.members()?.spans.get('requestId')
    const waiting = span === undefined ? undefined : flight.find(message.bytes.toString('utf8', span.from, span.to))
    if (waiting === undefined) return false
    flight.cancel(waiting)
    waiting.gone?.abort('cancelled')
    if (waiting.settle !== null) keep(waiting.settle({ kind: 'lost', why: 'the client cancelled it while it ran' }))
    waiting.settle = null
    return waiting.asked === null
  }

  // ---- from the server

  function takeServerLine(bytes: Buffer): void {
    if (skipSpace(bytes, 0) >= bytes.length) return
    const message = readLine(bytes)
    if (message.kind === 'malformed') refuseServer(message)
    else if (message.kind !== 'response') passServer(message, null)
    else if (!own.take(message)) takeAnswer(message)
  }

  function takeAnswer(message: RpcResponse): void {
    const waiting = flight.find(message.id)
    if (waiting === undefined) {
      const late = flight.cancelled(message.id)
      passServer(message, late?.method === 'tools/list' ? late.asked : null)
    } else if (waiting.asked === null) {
      const why = 'an answer to a call that was never sent'
      refuseServer({ kind: 'malformed', code: 'not-rpc', id: null, message: why })
    } else {
      flight.close(waiting)
      passServer(message, waiting.asked)
    }
  }

  function passServer(message: Message, asked: Asked | null): void {
    const fate = gatekeeper.fromServer(message, asked)
    if (behind === null && !(fate instanceof Promise)) {
      deliver(fate)
      return
    }
    const mine = Promise.all([fate, behind]).then(([decided]) => {
      deliver(decided)
      if (behind === mine) behind = null
      queue.flush()
      windDown()
    })
    behind = mine
    keep(mine)
  }

  function deliver(fate: Fate): void {
    if (fate.kind === 'answer') queue.toServer(fate.bytes)
    if (fate.kind !== 'forward') return
    queue.toClient(fate.bytes)
    const { after } = fate
    if (after !== undefined) queue.afterwards(() => keep(after()))
  }

  /** What the server sent is no message: whoever waits for it hears so, rather than nothing. */
  function refuseServer(message: Malformed): void {
    void gatekeeper.fromServer(message, null)
    for (const id of message.ids ?? (message.id === null ? [] : [message.id])) {
      const waiting = flight.find(id)
      if (waiting?.asked != null) giveUp(waiting, `the server’s answer was not passed on: ${message.message}`)
    }
  }

  function giveUp(waiting: Waiting, why: string): void {
    if (!flight.close(waiting)) return
    queue.toClient(errorAnswer(waiting.id, RPC.lost, why))
    if (waiting.settle !== null) keep(waiting.settle({ kind: 'lost', why }))
    waiting.gone?.abort('gone')
  }

  // ---- how it ends

  /** After the client's last word: the server may still answer what runs, for a while. */
  function windDown(): void {
    if (!inputEnded || ended) return
    const judged = flight.list().some((one) => one.asked === null)
    if (!judged) link.end()
    clearTimeout(timer)
    timer = setTimeout(() => void link.stop(), flight.size > 0 ? (options.lingerMs ?? LINGER_MS) : GRACE_MS)
  }

  function clientGone(): void {
    inputEnded = true
    for (const waiting of flight.list()) waiting.gone?.abort('gone')
    void link.stop()
  }

  async function linkEnded(end: LinkEnd): Promise<void> {
    if (ended) return
    ended = true
    const whole: RelayEnd = { ...end, by: inputEnded ? 'client' : 'server' }
    clearTimeout(timer)
    own.close(end.why)
    await behind
    for (const waiting of flight.list()) giveUp(waiting, `${end.why} before it answered`)
    queue.flush()
    input.destroy()
    while (working.size > 0 || queue.isBusy) {
      await Promise.allSettled(working)
      await new Promise((resolve) => setImmediate(resolve))
    }
    output.once('error', () => finish(whole))
    output.once('close', () => finish(whole))
    output.end(() => finish(whole))
  }

  const lines = createLines(options.mostLineBytes, {
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
    inputEnded = true
    for (const waiting of flight.list()) if (waiting.asked === null) waiting.gone?.abort('half-closed')
    windDown()
  })
  input.on('error', clientGone)
  output.on('error', clientGone)
  output.on('drain', () => link.resume())
  link.start({
    messages(list) {
      for (const bytes of list) takeServerLine(bytes)
      queue.flush()
      windDown()
    },
    tooLong() {
      const sent = flight.list().filter((one) => one.asked !== null)
      void gatekeeper.fromServer(TOO_LONG, null)
      const [only] = sent
      if (sent.length === 1 && only !== undefined) giveUp(only, 'the server’s answer is too long')
      else if (sent.length > 1) void link.stop() // nobody can say whose answer it was
      queue.flush()
    },
    drained: () => void input.resume(),
    ended: (end) => void linkEnded(end),
  })
  return { done, stop: clientGone }
}

function isCancellation({ method }: RpcNotification): boolean {
  return method === 'notifications/cancelled'
}
