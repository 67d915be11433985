import type { Message } from '../message.ts'
import { readMessage } from '../read-message.ts'
import { onceDone } from './session-facts.ts'

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
  #isBlocked = false

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
    while (!this.#isBlocked && this.#options.mayGo()) {
      const bytes = this.#queue.shift()
      if (bytes === undefined) break
      if (this.#queue.length === ROOM_MESSAGES - 1) this.#options.drained()
      const message = readMessage(bytes)
      if (message.kind !== 'malformed') this.#options.send(message)
    }
    this.#options.rested()
  }

  /** Nothing goes until this is done, but not for ever where a time is given. */
  block(until: Promise<unknown>, mostMs: number | null): void {
    this.#isBlocked = true
    onceDone(until, mostMs, () => {
      this.#isBlocked = false
      this.go()
    })
  }

  /** Takes out what has not gone. */
  takeRest(): readonly Buffer[] {
    return this.#queue.splice(0)
  }
}
