import type { Bounds, Description, Json, JsonObject, Places, RunPlace, SandboxRefusal } from '@countersign/core'
import type { Home } from '@countersign/node'

/** What a running tool may use. */
export interface ToolRun {
  /** The session’s folder; relative paths start here. */
  readonly workspace: string
  /** The real paths that the gate checked: a file tool acts on no other. Absent: not known. */
  readonly paths?: readonly string[]
  /** Stops the tool and everything it started. */
  readonly signal: AbortSignal
  /** The call it runs under; passed to commands so that nothing they start can decide. */
  readonly callId?: string
  /** Nobody was asked. */
  readonly isUnasked?: boolean
  /** INVARIANT: L11, the sandbox a command must run in; null or absent: outside. */
  readonly sandbox?: {
    readonly bounds: Bounds
    readonly places: Places
    /** Takes what the sandbox refused to the command. */
    refused(refusals: readonly SandboxRefusal[]): void
  } | null
  /** The gate's home: commands are recorded there while they run. */
  readonly home?: Home
  /** Tells the gate how a command ended; absent: nobody records it. */
  readonly ended?: RunPlace['ended']
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
  /** Whether it runs commands in the sandbox that `ToolRun.sandbox` asks for. */
  readonly containable?: boolean
  /** Whether a call asks to run outside the sandbox. */
  readonly asksOutside?: (args: JsonObject) => boolean
  /** Runs once, after the gate, with the frozen arguments. An exception is a failed call. */
  run(args: JsonObject, run: ToolRun): Promise<string>
}
