import type { RawId } from '../wire/message.ts'

/** How the way to a server ended. */
export interface LinkEnd {
  /** As a shell reports it, where the server was a process of ours; null otherwise. */
  readonly exitCode: number | null
  /** One line: why there is no server any more. */
  readonly why: string
}

/** Hears what comes from a server. */
export interface LinkListener {
  /** Whole messages, as many as came at once, each without its line feed. */
  messages(list: readonly Buffer[]): void
  /** A message longer than the bound; its bytes were let go. */
  tooLong(): void
  /** The answer to this request will not come, and nobody knows what became of it. */
  lost(id: RawId, why: string): void
  /** There is room again after `send` said that there is none. */
  drained(): void
  /** Nothing more will come. Told once. */
  ended(end: LinkEnd): void
}

/** The way to one server, whatever it is made of: a process, an address. */
export interface ServerLink {
  /** Begins to listen. Called once. */
  start(listener: LinkListener): void
  /** Sends messages, each without its line feed. False: there is no room, wait for `drained`. */
  send(messages: readonly Buffer[]): boolean
  /** Nothing more will be sent; the server may still answer. */
  end(): void
  /** Stops or goes on reading what the server says. */
  pause(): void
  resume(): void
  /** Ends the server: asks first, then insists. `ended` is told as for any other end. */
  stop(): Promise<void>
}
