import type { Description, Json, JsonObject } from '@countersign/core'

/** What a running tool may use. */
export interface ToolRun {
  /** The session’s folder; relative paths start here. */
  readonly workspace: string
  /** Stops the tool and everything it started. */
  readonly signal: AbortSignal
  /** The call it runs under; passed to commands so that nothing they start can decide. */
  readonly callId?: string
  /** Streams output. */
  output(stream: 'stdout' | 'stderr', text: string): void
  /** Whether the gate would let `read_file` read this unasked; false when unclear. */
  mayRead(path: string): Promise<boolean>
}

/** A tool: what the model sees, what the gate sees, and what runs. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly source: 'builtin' | 'mcp' | 'custom'
  readonly server?: string
  /** Its name on the server, used by gate and policy; default `name`. */
  readonly nameOnServer?: string
  /** The server’s full definition: any change makes it another tool. */
  readonly definition?: Json
  readonly annotations?: JsonObject
  readonly requiresConfirmation?: boolean
  readonly describe?: (args: JsonObject) => Description
  /** Runs once, after the gate, with the frozen arguments. An exception is a failed call. */
  run(args: JsonObject, run: ToolRun): Promise<string>
}
