import type { Description, Descriptor, Kind } from './descriptor.ts'
import type { Json, JsonObject } from './json/json.ts'
import type { Annotations, ToolIdentity, ToolRef } from './tool.ts'

/** Who asks. The name is a claim: rules may tighten by it. Sub-agents carry the path from their parent. */
export interface Agent {
  readonly name: string
  /** Names of the agents above it, outermost first. */
  readonly parents?: readonly string[]
}

/** A file as a call leaves it behind that puts back what was there. */
export interface RestoredFile {
  /** Its real path. */
  readonly path: string
  /** The SHA-256 of its content, or `absent`. */
  readonly content: string
}

/** A call as an asker hands it in: nothing in it is trusted. */
export interface Call {
  /** Makes `submit` idempotent; generated if absent. */
  readonly id?: string
  readonly tool: string | ToolRef
  readonly args: unknown
  readonly cwd?: string
  readonly agent?: Agent
  /** The agent's own words around the call. They are shown as such and can only raise the risk. */
  readonly said?: string
  /**
   * The agent's thinking before the call, or the steps of its plan. Bounded, redacted, shown folded as the agent's words and kept in
   * the journal. It changes no risk.
   */
  readonly reasoning?: string | readonly string[]
  /** Declares where the call acts. `production` raises the risk of changes; nothing lowers it. */
  readonly context?: { readonly environment: 'production' }
  readonly description?: Description
  /** What an untrusted asker declares its tool to do. A stronger kind than known needs confirmation; a weaker one is ignored (L9). */
  readonly atLeast?: Kind
  /** In process only: describes the frozen copy, again whenever the arguments are edited. Overrides `description`. */
  readonly describe?: (args: JsonObject) => Description
  /** In process only: the tool's own preview, shown beside the arguments. */
  readonly preview?: (args: JsonObject) => Promise<Json> | Json
  /** In process only: the files that the call puts back as they were. */
  readonly restores?: readonly RestoredFile[]
  /** `true` asks for at least confirm where no rule speaks. */
  readonly requiresConfirmation?: boolean
  readonly confirmationMessage?: string
  /** Where the tool comes from. MCP tools are held unless a rule decides otherwise. */
  readonly source?: 'builtin' | 'mcp' | 'custom'
  /** In process only: whoever runs the command uses the sandbox that the permit asks for. Never taken from another process. */
  readonly containable?: boolean
  /** In process only: why whoever runs the command can't use the sandbox. The card shows it where a sandbox works. */
  readonly uncontained?: string
  /** Asks to run a command outside the sandbox, which a person must approve. */
  readonly outside?: boolean
  /** How long the caller is ready to wait for a person; shortens the policy's deadline, never lengthens it. */
  readonly timeoutMs?: number
  /**
   * The agent's own trace, as a W3C `traceparent`: traces of this call become part of it. Outside of every digest; an invalid
   * one is ignored.
   */
  readonly traceparent?: string
  /** Argument names left out of the grant key (a model rewords them from call to call). */
  readonly volatile?: readonly string[]
}

declare const frozen: unique symbol

/** A call copied once and frozen: the copy that is judged, shown, hashed and run. Made only by `freezeCall`. */
export interface FrozenCall {
  readonly [frozen]: true
  readonly id: string
  readonly tool: ToolIdentity
  readonly description: string | null
  readonly annotations: Annotations | null
  readonly source: 'builtin' | 'mcp' | 'custom'
  readonly args: JsonObject
  readonly cwd: string
  readonly session: string | null
  readonly agent: { readonly name: string; readonly parents: readonly string[] }
  readonly said: string | null
  readonly reasoning: string | null
  /** Whether the call declares that it acts on production. */
  readonly inProduction: boolean
  readonly requiresConfirmation: boolean
  readonly confirmationMessage: string | null
  readonly containable: boolean
  readonly uncontained: string | null
  readonly outside: boolean
  readonly descriptor: Descriptor
  /** The hash of the canonical JSON of tool, arguments, folder, session and agent: surfaces compute it again. */
  readonly digest: string
  readonly grantKey: string
  readonly around: AroundCommand | null
}

/** Everything around the command of a call. A grant for similar commands is bound to it. */
export interface AroundCommand {
  /** The folder it runs in. */
  readonly cwd: string
  /** Names of the other arguments, but for those that change nothing. */
  readonly beside: readonly string[]
  /** Hash of the call's folder and the other arguments, instead of their values, which may contain secrets. */
  readonly key: string
}
