import type { Message } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { onceDone } from '../messages/session.ts'

const ROOM_MESSAGES = 256

export interface OutgoingOptions {
  /** Sends one message; it may block what comes after it. */
  send(message: Message): void
  /** Whether one more may be on its way now. */
  mayGo(): boolean
  /** There is room again after `push` said that there is none. */
  drained(): void
  /** Told each time when nothing more can go. */
  rested(): void
}

/** Messages for a server, in the order in which they were said. */
export class Outgoing {
  readonly #queue: Buffer[] = []
  readonly #options: OutgoingOptions
  #waits: 'not' | 'in-order' | 'for-an-answer' = 'not'

  constructor(options: OutgoingOptions) {
    this.#options = options
  }

  get isEmpty(): boolean {
    return this.#queue.length === 0
  }

  /** False: there is no room, wait for `drained`. */
  push(messages: readonly Buffer[]): boolean {
    this.#queue.push(...messages)
    this.go()
    return this.#queue.length < ROOM_MESSAGES
  }

  /** Sends what may go. */
  go(): void {
    while (this.#options.mayGo()) {
      const bytes = this.#next()
      if (bytes === undefined) break
      if (this.#queue.length === ROOM_MESSAGES - 1) this.#options.drained()
      const message = readMessage(bytes)
      if (message.kind !== 'malformed') this.#options.send(message)
    }
    this.#options.rested()
  }

  /** Nothing goes until this is done, but not for ever. */
  block(until: Promise<unknown>, mostMs: number): void {
    this.#wait('in-order', until, mostMs)
  }

  /** Nothing goes until a server has answered, but answers to it: it may want to know something first. */
  blockForAnswer(until: Promise<unknown>): void {
    this.#wait('for-an-answer', until, null)
  }

  #wait(how: 'in-order' | 'for-an-answer', until: Promise<unknown>, mostMs: number | null): void {
    this.#waits = how
    onceDone(until, mostMs, () => {
      this.#waits = 'not'
      this.go()
    })
  }

  #next(): Buffer | undefined {
    if (this.#waits === 'not') return this.#queue.shift()
    if (this.#waits === 'in-order') return undefined
    const at = this.#queue.findIndex((bytes) => readMessage(bytes).kind === 'response')
    return at === -1 ? undefined : this.#queue.splice(at, 1)[0]
  }

  /** Takes out what has not gone. */
  takeRest(): readonly Buffer[] {
    return this.#queue.splice(0)
  }
}
