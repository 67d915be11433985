import type { Readable, Writable } from 'node:stream'
import { createDeferredTasks } from '../wire/deferred-tasks.ts'
import { ROOM_BYTES, writeLines } from '../wire/lines.ts'
import type { ServerLink } from './server-link.ts'

/** Batches writes to both ends of a relay: whatever arrives together is written together. */
export interface RelayQueue {
  /** From the other end, which is paused while this one is slow. */
  toClient(bytes: Buffer): void
  toServer(bytes: Buffer): void
  /** Our own response to this end; an end that keeps asking without reading is paused, too. */
  answerClient(bytes: Buffer): void
  answerServer(bytes: Buffer): void
  /** An unsolicited message of ours, dropped when the client does not read. */
  mention(bytes: Buffer): void
  /** Runs after the pending responses are on their way. */
  afterwards(task: () => void): void
  /** Writes everything, and pauses whoever fills a slow end. */
  flush(): void
  /** The same in a microtask, so that calls decided together are written together. */
  flushSoon(): void
  /** The client, or the server, has room again. */
  clientDrained(): void
  serverDrained(): void
  /** Whether deferred work remains. */
  readonly isBusy: boolean
}

/** One end of the relay. */
interface End {
  next: Buffer[]
  isFull: boolean
  /** Bytes of our own since it last had drained. */
  own: number
}

/**
 * INVARIANT: L10, the buffer for a slow end is bounded. A server is not paused merely because it reads slowly: one that
 * writes before it reads again would deadlock. Nor is a client.
 */
export function createRelayQueue(input: Readable, output: Writable, link: ServerLink): RelayQueue {
  const client: End = { next: [], isFull: false, own: 0 }
  const server: End = { next: [], isFull: false, own: 0 }
  const deferred = createDeferredTasks()
  let isFlushScheduled = false

  function answer(end: End, bytes: Buffer): void {
    end.own += bytes.length
    end.next.push(bytes)
  }

  function write(end: End, send: (messages: readonly Buffer[]) => boolean): void {
    if (end.next.length === 0) return
    const messages = end.next
    end.next = []
    const hasRoom = send(messages)
    if (!hasRoom) end.isFull = true
    else if (!end.isFull) end.own = 0
  }

  /** Resumes or pauses reading from both ends. */
  function pace(): void {
    if (server.isFull || isFlooded(client)) input.pause()
    else input.resume()
    if (client.isFull || isFlooded(server)) link.pause()
    else link.resume()
  }

  function drained(end: End): void {
    end.isFull = false
    end.own = 0
    pace()
  }

  const queue: RelayQueue = {
    toClient: (bytes) => void client.next.push(bytes),
    toServer: (bytes) => void server.next.push(bytes),
    answerClient: (bytes) => answer(client, bytes),
    answerServer: (bytes) => answer(server, bytes),
    mention(bytes) {
      if (!isFlooded(client)) answer(client, bytes)
    },
    afterwards: deferred.add,
    flush() {
      write(client, (messages) => writeLines(output, messages))
      write(server, link.send)
      if (client.isFull || server.isFull) pace()
    },
    flushSoon() {
      if (isFlushScheduled) return
      isFlushScheduled = true
      queueMicrotask(() => {
        isFlushScheduled = false
        queue.flush()
      })
    },
    clientDrained: () => drained(client),
    serverDrained: () => drained(server),
    get isBusy() {
      return deferred.isBusy
    },
  }
  return queue
}

function isFlooded(end: End): boolean {
  return end.isFull && end.own > ROOM_BYTES
}
