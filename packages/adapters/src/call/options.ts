import type { Agent, WrapOptions } from '@countersign/core'

/** What the registration of one tool tells about it: as in `gate.wrap`. */
export type ToolOptions<Args extends object = Record<string, unknown>> = Omit<WrapOptions<Args>, 'containable'>

/** The agent's own words around a call. */
export interface Words {
  readonly said?: string
  readonly reasoning?: string
}

/** How the tools of one agent go through the gate. */
export interface GateOptions<Tools = Record<string, ToolOptions>> {
  /** Describes tools by name, so that rules by kind, path, command and URL match their calls. */
  readonly tools?: Tools
  /** The agent whose tools these are. A sub-agent names its parents, outermost first. */
  readonly agent?: string | Agent
  /** Tools that stay outside the gate. Every tool that the adapter can't gate must be listed here, or set-up fails. */
  readonly ungated?: readonly string[]
  /** The agent's words before a call, if the SDK doesn't hand them over. */
  readonly words?: (toolCallId: string | undefined) => Words
  /** Pauses the agent for calls that a person must decide, instead of waiting. Another process can go on. */
  readonly durable?: Durable
}

/** Calls that outlive this process. */
export interface Durable {
  /** Names the conversation or job. Together with the SDK's id of a tool call it names the call: choose it once and keep it. */
  readonly run: string
  /** For a gate in a service: where the tickets of waiting calls are kept. */
  readonly tickets?: TicketBook
}

/**
 * Keeps the tickets of calls that wait in a service, by the id of the call: a table or folder of your program, and never the
 * transcript. Whoever has a ticket can collect its call. Not needed for a gate in this process.
 */
export interface TicketBook {
  get(callId: string): Promise<string | undefined>
  set(callId: string, ticket: string): Promise<void>
}
