import type { Readable, Writable } from 'node:stream'
import type { InFlight, Waiting } from './in-flight-requests.ts'
import type { LinkEnd, ServerLink } from './server-link.ts'

/** How a relay ended, and which side ended first. */
export interface RelayEnd extends LinkEnd {
  readonly by: 'client' | 'server'
}

/** What ends, and what to do first. */
export interface RelayEndingOptions {
  readonly input: Readable
  readonly output: Writable
  readonly link: ServerLink
  readonly flight: InFlight
  /** How long running calls may still be answered after the client stopped sending. */
  readonly lingerMs?: number
  giveUp(waiting: Waiting, why: string): void
  /** The server is gone: resolves when all its output is delivered. */
  serverGone(why: string): Promise<void>
  /** Resolves when all work is done. */
  settled(): Promise<void>
}

/** Ends a relay: after the client stopped sending, at once, or after the server ended. */
export interface RelayEnding {
  readonly done: Promise<RelayEnd>
  /** Whether the client stopped sending. */
  readonly isHalfClosed: boolean
  /** Whether the server is gone. */
  readonly isOver: boolean
  /** The client stopped sending. */
  inputEnded(): void
  /** A request was answered: there may be nothing left to wait for. */
  windDown(): void
  /** The client is gone, or we were told to stop. */
  stop(): void
  linkEnded(end: LinkEnd): Promise<void>
}

const LINGER_MS = 10_000
/** How long a server may take to exit after its input closed, and a client to read the last messages. */
const GRACE_MS = 2_000
/** The same for a client when we were told to stop. */
const STOPPED_MS = 100

export function createRelayEnding(options: RelayEndingOptions): RelayEnding {
  const { input, output, link, flight } = options
  const { promise: done, resolve: finish } = Promise.withResolvers<RelayEnd>()
  let isHalfClosed = false
  let isOver = false
  let isStopped = false
  let flushTimer: NodeJS.Timeout | undefined
  let waits: 'none' | 'for-responses' | 'for-exit' = 'none'
  let timer: NodeJS.Timeout | undefined

  /** INVARIANT: each wait starts once, so that a talkative server cannot extend it. */
  function windDown(): void {
    if (!isHalfClosed || isOver) return
    if (!flight.list().some((one) => one.asked === null)) link.end()
    if (isOver) return // some links end synchronously
    const next = flight.size > 0 ? 'for-responses' : 'for-exit'
    if (waits === next || waits === 'for-exit') return
    waits = next
    clearTimeout(timer)
    timer = setTimeout(() => void link.stop(), next === 'for-responses' ? (options.lingerMs ?? LINGER_MS) : GRACE_MS)
  }

  /** Unread output is dropped when a client no longer reads. */
  function dropUnread(): void {
    clearTimeout(flushTimer)
    const before = output.writableLength
    flushTimer = setTimeout(
      () => (isStopped || output.writableLength === before ? output.destroy() : dropUnread()),
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
    inputEnded() {
      isHalfClosed = true
      for (const waiting of flight.list()) if (waiting.asked === null) waiting.gone?.abort('half-closed')
      windDown()
    },
    windDown,
    stop() {
      isHalfClosed = true
      isStopped = true
      for (const waiting of flight.list()) waiting.gone?.abort('gone')
      if (flushTimer !== undefined) dropUnread()
      void link.stop()
    },
    async linkEnded(end) {
      if (isOver) return
      isOver = true
      const whole: RelayEnd = { ...end, by: isHalfClosed ? 'client' : 'server' }
      clearTimeout(timer)
      await options.serverGone(end.why)
      for (const waiting of flight.list()) options.giveUp(waiting, `no response: ${end.why}`)
      input.destroy()
      await options.settled()
      const ended = (): void => {
        clearTimeout(flushTimer)
        finish(whole)
      }
      output.once('error', ended)
      output.once('close', ended)
      output.end(ended)
      dropUnread()
    },
  }
}
