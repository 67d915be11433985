import type { Agent, Call } from './call/call.ts'
import type { Description } from './call/descriptor.ts'
import type { Json, JsonObject } from './call/json/json.ts'
import type { Annotations } from './call/tool.ts'
import type { RunPlace, ToolResult } from './execute/execute.ts'
import type { Gate } from './gate-handle.ts'

/** A tool: its name, and the function to run once it may. */
export interface Tool<Args extends object, Value> {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: Json
  /** A command runs in the sandbox that `place` asks for, if the tool is registered as `containable`. */
  run(args: Args, place: RunPlace): Promise<Value> | Value
}

/** What a tool's registration tells about it. */
export interface WrapOptions<Args extends object> {
  /** Describes one call, so that rules by kind, path, command and URL match it. */
  readonly describe?: (args: Args) => Description
  /** At least confirm where no rule applies. */
  readonly requiresConfirmation?: boolean
  readonly confirmationMessage?: string
  readonly source?: 'builtin' | 'mcp' | 'custom'
  readonly server?: string
  /** The tool's own preview, as data: shown beside the arguments, never instead of them. */
  readonly preview?: (args: Args) => Promise<Json> | Json
  readonly annotations?: Annotations
  readonly volatile?: readonly string[]
  /** The tool runs commands in the sandbox that `run` is told; only then can they run unasked. */
  readonly containable?: boolean
}

/** Options of one call of a wrapped tool. */
export interface CallOptions {
  readonly id?: string
  readonly agent?: Agent
  readonly said?: string
  readonly reasoning?: string | readonly string[]
  readonly context?: { readonly environment: 'production' }
  readonly cwd?: string
  /** The agent's own trace, as a W3C `traceparent`. */
  readonly traceparent?: string
  readonly signal?: AbortSignal
}

/** A tool behind the gate: calling it asks first, and it never throws for a call that was refused or failed. */
export type WrappedTool<Args extends object, Value> = (
  args: Args,
  options?: CallOptions,
) => Promise<
  Exclude<ToolResult, { kind: 'completed' }> | (Extract<ToolResult, { kind: 'completed' }> & { readonly value: Value })
>

/** Puts a tool behind the gate. `describe` and `preview` only ever see the frozen copy. SECURITY: A6. */
export function wrapTool<Args extends object, Value>(
  gate: Pick<Gate, 'run'>,
  tool: Tool<Args, Value>,
  options: WrapOptions<Args> = {},
): WrappedTool<Args, Value> {
  const { describe, preview, requiresConfirmation, confirmationMessage, source, server, annotations, volatile } =
    options
  const { containable } = options
  const definition: Json = { description: tool.description ?? null, inputSchema: tool.inputSchema ?? null }
  return async (args, { signal, ...about } = {}) => {
    const call: Call = {
      ...about,
      tool: {
        name: tool.name,
        definition,
        ...(server === undefined ? {} : { server }),
        ...(tool.description === undefined ? {} : { description: tool.description }),
        ...(annotations === undefined ? {} : { annotations }),
      },
      args,
      ...(describe === undefined ? {} : { describe: (frozen: JsonObject) => describe(frozen as unknown as Args) }),
      ...(preview === undefined ? {} : { preview: (frozen: JsonObject) => preview(frozen as unknown as Args) }),
      ...(requiresConfirmation === undefined ? {} : { requiresConfirmation }),
      ...(confirmationMessage === undefined ? {} : { confirmationMessage }),
      ...(source === undefined ? {} : { source }),
      ...(volatile === undefined ? {} : { volatile }),
      ...(containable === undefined ? {} : { containable }),
    }
    const result = await gate.run(call, (frozen, place) => tool.run(frozen as unknown as Args, place), signal)
    return result as Awaited<ReturnType<WrappedTool<Args, Value>>>
  }
}
