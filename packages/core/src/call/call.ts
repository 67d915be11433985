import type { Descriptor, Kind } from './descriptor.ts'
import type { Json, JsonObject } from './json/json.ts'
import type { Annotations, ToolIdentity, ToolRef } from './tool.ts'

/** Who asks. The name is a claim: rules may tighten by it. Sub-agents carry the path from their parent. */
export interface Agent {
  readonly name: string
  /** Names of the agents above it, outermost first. */
  readonly parents?: readonly string[]
}

/** What a tool's registration says about one call of it; every field but `kind` optional. */
export interface Description {
  readonly kind: Kind
  readonly command?: string
  readonly argv?: readonly string[]
  readonly paths?: readonly string[]
  readonly sql?: string
  readonly url?: string
}

/** A call as an asker hands it in: nothing in it is trusted. */
export interface Call {
  /** Makes `submit` idempotent; minted when absent. */
  readonly id?: string
  readonly tool: string | ToolRef
  readonly args: unknown
  readonly cwd?: string
  readonly agent?: Agent
  /** The agent's own words around the call: shown as such, may only raise. */
  readonly said?: string
  readonly description?: Description
  /** What an asker at arm's length says its tool does. More than is known of the tool asks for confirm; less is no news (L9). */
  readonly atLeast?: Kind
  /** In process only: describes the frozen copy, again whenever the arguments are edited. Overrides `description`. */
  readonly describe?: (args: JsonObject) => Description
  /** In process only: the tool's own preview, shown beside the arguments. */
  readonly preview?: (args: JsonObject) => Promise<Json> | Json
  /** `true` asks for at least confirm where no rule speaks. */
  readonly requiresConfirmation?: boolean
  readonly confirmationMessage?: string
  /** Where the tool comes from; MCP tools are held unless a rule says otherwise. */
  readonly source?: 'builtin' | 'mcp' | 'custom'
  /** How long the caller is ready to wait for a person; shortens the policy's deadline, never lengthens it. */
  readonly timeoutMs?: number
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
  readonly requiresConfirmation: boolean
  readonly confirmationMessage: string | null
  readonly descriptor: Descriptor
  /** The hash of the canonical JSON of tool, arguments, folder, session and agent: what a surface hashes again. */
  readonly digest: string
  readonly grantKey: string
  readonly around: AroundCommand | null
}

/** Everything around the command of a call: what a grant for the like of it is bound to. */
export interface AroundCommand {
  /** The folder it runs in. */
  readonly cwd: string
  /** Names of the other arguments, but for those that change nothing. */
  readonly beside: readonly string[]
  /** Hash of the call's folder and the other arguments. Not their values: they may hold secrets. */
  readonly key: string
}
