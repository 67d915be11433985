import type { Readable, Writable } from 'node:stream'
import { createLater } from '../wire/deferred-tasks.ts'
import { ROOM_BYTES, writeLines } from '../wire/write-buffer.ts'
import type { ServerLink } from './server-link.ts'

/** What is to be written next, to both ends of a relay: everything that came together goes out together. */
export interface RelayQueue {
  /** What the other end said: it is read no further while this one is slow. */
  toClient(bytes: Buffer): void
  toServer(bytes: Buffer): void
  /** Our own answer to what this end said: whoever keeps asking and reads no answers is not read, either. */
  answerClient(bytes: Buffer): void
  answerServer(bytes: Buffer): void
  /** A word of our own that nobody asked for; not said to a client that reads nothing. */
  mention(bytes: Buffer): void
  /** Done once the answers before it are on their way. */
  afterwards(task: () => void): void
  /** Writes it, and stops reading from whoever fills an end that is slow. */
  flush(): void
  /** The same once what is decided together with this has been put in: calls side by side come free at once. */
  flushSoon(): void
  /** The client, or the server, has room again. */
  clientDrained(): void
  serverDrained(): void
  /** Whether something is still to be done afterwards. */
  readonly isBusy: boolean
}

/** One end: what it is to get, and whether it is slow. */
interface End {
  next: Buffer[]
  isFull: boolean
  /** Bytes of our own since it last had taken everything. */
  own: number
}

/**
 * INVARIANT: L10, what waits for a slow end is bounded, whoever it comes from. A server is not stopped from speaking only
 * because it is slow to listen: one that speaks before it listens again would wait for us for ever. Nor is a client.
 */
export function createRelayQueue(input: Readable, output: Writable, link: ServerLink): RelayQueue {
  const client: End = { next: [], isFull: false, own: 0 }
  const server: End = { next: [], isFull: false, own: 0 }
  const later = createLater()
  let isSoon = false

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

  /** Reads from both where it may. */
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
    afterwards: later.add,
    flush() {
      write(client, (messages) => writeLines(output, messages))
      write(server, link.send)
      if (client.isFull || server.isFull) pace()
    },
    flushSoon() {
      if (isSoon) return
      isSoon = true
      queueMicrotask(() => {
        isSoon = false
        queue.flush()
      })
    },
    clientDrained: () => drained(client),
    serverDrained: () => drained(server),
    get isBusy() {
      return later.isBusy
    },
  }
  return queue
}

function isFlooded(end: End): boolean {
  return end.isFull && end.own > ROOM_BYTES
}
