import type { Message } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'

const ROOM_MESSAGES = 256

export interface OutgoingOptions {
  /** Sends one message; it may block the next. */
  send(message: Message): void
  /** Whether another message may be sent now. */
  canSend(): boolean
  /** There is room again after `push` returned false. */
  drained(): void
  /** Called whenever nothing more can be sent. */
  idle(): void
}

/** Messages for a server, in order. */
export class Outgoing {
  readonly #queue: Buffer[] = []
  readonly #options: OutgoingOptions
  #waits: 'no' | 'in-order' | 'for-response' = 'no'

  constructor(options: OutgoingOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0
  }

  /** False: no room, wait for `drained`. */
  push(messages: readonly Buffer[]): boolean {
    this.#queue.push(...messages)
    this.flush()
    return this.#queue.length < ROOM_MESSAGES
  }

  /** Sends what may be sent. */
  flush(): void {
    while (this.#options.canSend()) {
      const bytes = this.#next()
      if (bytes === undefined) break
      if (this.#queue.length === ROOM_MESSAGES - 1) this.#options.drained()
      const message = readMessage(bytes)
      if (message.kind !== 'malformed') this.#options.send(message)
    }
    this.#options.idle()
  }

  /** Blocks until this is done, or the timeout. */
  block(until: Promise<unknown>, maxMs: number): void {
    this.#wait('in-order', until, maxMs)
  }

  /** Blocks until the server has responded, except for responses to the server, which may need them first. */
  blockForResponse(until: Promise<unknown>): void {
    this.#wait('for-response', until, null)
  }

  #wait(how: 'in-order' | 'for-response', until: Promise<unknown>, maxMs: number | null): void {
    this.#waits = how
    whenDoneOrLate(until, maxMs, () => {
      this.#waits = 'no'
      this.flush()
    })
  }

  #next(): Buffer | undefined {
    if (this.#waits === 'no') return this.#queue.shift()
    if (this.#waits === 'in-order') return undefined
    const at = this.#queue.findIndex((bytes) => readMessage(bytes).kind === 'response')
    return at === -1 ? undefined : this.#queue.splice(at, 1)[0]
  }

  /** Removes and returns the unsent messages. */
  takeRest(): readonly Buffer[] {
    return this.#queue.splice(0)
  }
}

/** Calls `next` once: when the work is done, or after `maxMs`. */
function whenDoneOrLate(work: Promise<unknown>, maxMs: number | null, resumeRound: () => void): void {
  let isDone = false
  const go = (): void => {
    clearTimeout(timer)
    if (!isDone) resumeRound()
    isDone = true
  }
  const timer = maxMs === null ? undefined : setTimeout(go, maxMs)
  void work.then(go, go)
}
