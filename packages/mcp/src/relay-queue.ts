import type { Readable, Writable } from 'node:stream'
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
  /** Whether something is still to be done afterwards. */
  readonly isBusy: boolean
}

/** An agent that got its answer often asks again at once: that call comes first. */
const TELL_AFTER_MS = 10
const MOST_TOLD = 32

export function createRelayQueue(input: Readable, output: Writable, link: ServerLink): RelayQueue {
  let client: Buffer[] = []
  let server: Buffer[] = []
  const tasks: (() => void)[] = []
  let isTelling = false

  /** Some at once, since the store writes them together; not all, so that no call waits for long. */
  function tellNext(): void {
    for (const task of tasks.splice(0, MOST_TOLD)) task()
    if (tasks.length > 0) setImmediate(tellNext)
    else isTelling = false
  }

  return {
    toClient: (bytes) => void client.push(bytes),
    toServer: (bytes) => void server.push(bytes),
    afterwards: (task) => void tasks.push(task),
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
      if (tasks.length === 0 || isTelling) return
      isTelling = true
      setTimeout(tellNext, TELL_AFTER_MS)
    },
    get isBusy() {
      return isTelling || tasks.length > 0
    },
  }
}
