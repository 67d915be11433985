import type { Readable, Writable } from 'node:stream'
import { createLater } from './later.ts'
import { writeLines } from './outlet.ts'
import type { ServerLink } from './server-link.ts'

/** What is to be written next, to both ends of a relay: everything that came together goes out together. */
export interface RelayQueue {
  toClient(bytes: Buffer): void
  toServer(bytes: Buffer): void
  /** Done once the answers before it are on their way. */
  afterwards(task: () => void): void
  /** Writes it, and stops reading from the other end where one is slow. */
  flush(): void
  /** The same once what is decided together with this has been put in: calls side by side come free at once. */
  flushSoon(): void
  /** Whether something is still to be done afterwards. */
  readonly isBusy: boolean
}

export function createRelayQueue(input: Readable, output: Writable, link: ServerLink): RelayQueue {
  let client: Buffer[] = []
  let server: Buffer[] = []
  const later = createLater()
  let isSoon = false

  const queue: RelayQueue = {
    toClient: (bytes) => void client.push(bytes),
    toServer: (bytes) => void server.push(bytes),
    afterwards: later.add,
    flush() {
      if (client.length > 0) {
        const messages = client
        client = []
        if (!writeLines(output, messages)) link.pause()
      }
      if (server.length > 0) {
        const messages = server
        server = []
        if (!link.send(messages)) input.pause()
      }
    },
    flushSoon() {
      if (isSoon) return
      isSoon = true
      queueMicrotask(() => {
        isSoon = false
        queue.flush()
      })
    },
    get isBusy() {
      return later.isBusy
    },
  }
  return queue
}
