import type { RawId } from '../wire/message.ts'

/** How the connection to a server ended. */
export interface LinkEnd {
  /** As a shell reports it, for a child process; null otherwise. */
  readonly exitCode: number | null
  /** Why the server is gone, in one line. */
  readonly why: string
}

/** Receives what comes from a server. */
export interface LinkListener {
  /** Complete messages as they arrived together, without line feeds. */
  messages(list: readonly Buffer[]): void
  /** A message over the limit; its bytes were discarded. */
  tooLong(): void
  /** No response to this request will come, and its outcome is unknown. */
  lost(id: RawId, why: string): void
  /** There is room again after `send` returned false. */
  drained(): void
  /** Nothing more will come. Called once. */
  ended(end: LinkEnd): void
}

/** The connection to one server: a process or a URL. */
export interface ServerLink {
  /** Starts listening. Called once. */
  start(listener: LinkListener): void
  /** Sends messages, without line feeds. False: no room, wait for `drained`. */
  send(messages: readonly Buffer[]): boolean
  /** Nothing more will be sent; the server may still respond. */
  end(): void
  /** Pauses or resumes reading from the server. */
  pause(): void
  resume(): void
  /** Stops the server: politely, then by force. `ended` follows as usual. */
  stop(): Promise<void>
}
