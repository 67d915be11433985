/** A tool call that the stand-in model asks for, by the host's own tool name. */
export interface ToolCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** One answer of the stand-in model. Without calls, it ends the host's turn. */
export interface Turn {
  readonly text?: string
  readonly calls?: readonly ToolCall[]
}

/** An answer that depends on what the tools have returned so far. */
export type NextTurn = Turn | ((results: readonly ToolResult[]) => Turn)

/** The answers of one conversation, in order. */
export interface Script {
  /** Text in the first message, which tells a sub-agent's conversation from the main one. */
  readonly about: string
  readonly turns: readonly NextTurn[]
}

/** A tool result that reached the model. */
export interface ToolResult {
  readonly callId: string
  readonly text: string
}

/** A model request in any of the APIs, as far as the rig needs it. */
export interface ModelRequest {
  /** Everything that was said to the model before its first answer. */
  readonly opening: string
  /** The answers that the model has already given in this conversation. */
  readonly answered: number
  readonly tools: readonly string[]
  readonly results: readonly ToolResult[]
}

/** A call with the id that its result will name. */
export interface IssuedCall extends ToolCall {
  readonly id: string
}

/** One answer to one request, ready to be written in an API's own format. */
export interface Answer {
  readonly id: string
  readonly model: string
  readonly text: string
  readonly calls: readonly IssuedCall[]
  readonly stream: boolean
}

/** One of the APIs that coding agents speak. */
export interface Dialect {
  readonly path: RegExp
  read(body: unknown): ModelRequest
  /** The model's name and whether to stream, from the URL or the body. */
  wants(url: URL, body: unknown): { readonly model: string; readonly stream: boolean }
  /** The events of a stream, or the one object of an answer without streaming. */
  events(answer: Answer): readonly ServerEvent[]
  whole(answer: Answer): object
}

/** One event of a stream; `name` is sent as its `event:` line. */
export interface ServerEvent {
  readonly name?: string
  readonly data: object | string
}
