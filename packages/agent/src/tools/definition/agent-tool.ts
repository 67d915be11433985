import type { Description, Json, JsonObject } from '@countersign/core'

/** What a running tool may use. */
export interface ToolRun {
  /** The folder the session works in; relative paths start here. */
  readonly workspace: string
  /** Ends the tool: what it started must be gone afterwards. */
  readonly signal: AbortSignal
  /** The call it runs under; commands are told, so that nothing they start can decide. */
  readonly callId?: string
  /** Output as it comes. */
  output(stream: 'stdout' | 'stderr', text: string): void
  /** Whether the gate would let `read_file` read this without asking; false when that cannot be told. */
  mayRead(path: string): Promise<boolean>
}

/** A tool the agent has: what the model is told, what the gate is told, and what runs once it may. */
export interface AgentTool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly source: 'builtin' | 'mcp' | 'custom'
  readonly server?: string
  /** The name its server gives it, by which the gate and policy know it; `name` where absent. */
  readonly nameOnServer?: string
  /** The whole definition as its server gives it: a change of it is another tool. */
  readonly definition?: Json
  readonly annotations?: JsonObject
  readonly requiresConfirmation?: boolean
  readonly describe?: (args: JsonObject) => Description
  /** Runs with the frozen arguments, once, after the gate. What it throws is a failed call. */
  run(args: JsonObject, run: ToolRun): Promise<string>
}
