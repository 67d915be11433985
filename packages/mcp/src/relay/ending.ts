import type { Readable, Writable } from 'node:stream'
import type { InFlight, Waiting } from './in-flight-requests.ts'
import type { LinkEnd, ServerLink } from './server-link.ts'

/** How a relay ended, and who went first. */
export interface RelayEnd extends LinkEnd {
  readonly by: 'client' | 'server'
}

/** What ends, and what must be done before. */
export interface RelayEndingOptions {
  readonly input: Readable
  readonly output: Writable
  readonly link: ServerLink
  readonly flight: InFlight
  /** How long calls that run may still be answered after the client said that nothing more will come. */
  readonly lingerMs?: number
  giveUp(waiting: Waiting, why: string): void
  /** The server is gone: resolves when all it said is delivered. */
  serverGone(why: string): Promise<void>
  /** Resolves when nothing is left to be told. */
  settled(): Promise<void>
}

/** The way a relay ends: after the last word of the client, without it, or without the server. */
export interface RelayEnding {
  readonly done: Promise<RelayEnd>
  /** Whether the client said its last word. */
  readonly isHalfClosed: boolean
  /** Whether the server is gone. */
  readonly isOver: boolean
  /** The client says that nothing more will come. */
  lastWord(): void
  /** Something was answered: there may be nothing left to wait for. */
  windDown(): void
  /** The client is gone, or we are told to end: at once. */
  stop(): void
  linkEnded(end: LinkEnd): Promise<void>
}

const LINGER_MS = 10_000
/** How long a server may take to end by itself after its input did, and a client to read the last words. */
const GRACE_MS = 2_000
/** The same for a client when we are told to end: what it does not take now it will not. */
const STOPPED_MS = 100

export function createRelayEnding(options: RelayEndingOptions): RelayEnding {
  const { input, output, link, flight } = options
  const { promise: done, resolve: finish } = Promise.withResolvers<RelayEnd>()
  let isHalfClosed = false
  let isOver = false
  let isStopped = false
  let lastWords: NodeJS.Timeout | undefined
  let waits: 'not' | 'for-answers' | 'for-the-end' = 'not'
  let timer: NodeJS.Timeout | undefined

  /** INVARIANT: each wait is begun once: whatever a server says meanwhile, it does not get longer. */
  function windDown(): void {
    if (!isHalfClosed || isOver) return
    if (!flight.list().some((one) => one.asked === null)) link.end()
    if (isOver) return // some end at once
    const next = flight.size > 0 ? 'for-answers' : 'for-the-end'
    if (waits === next || waits === 'for-the-end') return
    waits = next
    clearTimeout(timer)
    timer = setTimeout(() => void link.stop(), next === 'for-answers' ? (options.lingerMs ?? LINGER_MS) : GRACE_MS)
  }

  /** A client that takes nothing more does not keep us: what it left unread is let go. */
  function letGo(): void {
    clearTimeout(lastWords)
    const before = output.writableLength
    lastWords = setTimeout(
      () => (isStopped || output.writableLength === before ? output.destroy() : letGo()),
      isStopped ? STOPPED_MS : GRACE_MS,
    )
  }

  return {
    done,
    get isHalfClosed() {
      return isHalfClosed
    },
    get isOver() {
      return isOver
    },
    lastWord() {
      isHalfClosed = true
      for (const waiting of flight.list()) if (waiting.asked === null) waiting.gone?.abort('half-closed')
      windDown()
    },
    windDown,
    stop() {
      isHalfClosed = true
      isStopped = true
      for (const waiting of flight.list()) waiting.gone?.abort('gone')
      if (lastWords !== undefined) letGo()
      void link.stop()
    },
    async linkEnded(end) {
      if (isOver) return
      isOver = true
      const whole: RelayEnd = { ...end, by: isHalfClosed ? 'client' : 'server' }
      clearTimeout(timer)
      await options.serverGone(end.why)
      for (const waiting of flight.list()) options.giveUp(waiting, `there is no answer: ${end.why}`)
      input.destroy()
      await options.settled()
      const ended = (): void => {
        clearTimeout(lastWords)
        finish(whole)
      }
      output.once('error', ended)
      output.once('close', ended)
      output.end(ended)
      letGo()
    },
  }
}
