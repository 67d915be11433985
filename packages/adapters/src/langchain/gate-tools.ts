import { copiedTool } from '../call/copied-tool.ts'
import { cannotGate, type GatedTool, type Gatekeeper, openGatekeeper, type SdkCall } from '../call/gated-tool.ts'
import type { GateOptions, ToolOptions } from '../call/options.ts'
import type { AskingGate } from '../gate/asking-gate.ts'
import { RefusedCall } from '../gate/refused-call.ts'
import { runGated } from '../gate/run-gated.ts'
import { wordsIn } from './words.ts'

/** A tool of an agent or of a `ToolNode`: the SDK's `ClientTool` or `ServerTool`. */
export type AgentTool = object

/** Options for each tool, by its name. */
export type AgentToolOptions = Readonly<Record<string, ToolOptions>>

/** A call, as an agent's model wrote it. */
interface ToolCall {
  readonly type: 'tool_call'
  readonly id?: string
  readonly args: unknown
}

/** What a graph hands to a tool beside its input: the SDK's `ToolRuntime`. */
interface Runtime {
  readonly signal?: AbortSignal
  readonly state?: unknown
  /** Pauses the graph by throwing, or returns if the graph was resumed. */
  readonly interrupt?: (value: unknown) => unknown
}

type Invoke = (input: unknown, runtime?: Runtime) => Promise<unknown>

/** The members of a tool that matter here. */
interface FunctionTool {
  readonly name: string
  readonly description?: unknown
  readonly invoke: Invoke
  readonly _call: unknown
}

/**
 * The same tools, behind the gate: `invoke` asks first and runs with the permitted arguments, or returns the refusal as a tool
 * message with the status `error`. Aborting the graph's signal withdraws a held call. Middleware of any order stays outside of it.
 *
 * Throws at set-up for tools that the model's provider runs.
 */
export function gateTools<Tools extends readonly AgentTool[]>(
  tools: Tools,
  gate: AskingGate,
  options: GateOptions<AgentToolOptions> = {},
): Tools {
  const keeper = openGatekeeper('langchain', gate, tools.map(nameOf), options)
  return tools.map((tool) => (keeper.isUngated(nameOf(tool)) ? tool : gateTool(tool, keeper))) as unknown as Tools
}

/** Tools of a provider may have only a type. */
function nameOf(tool: object): string {
  const { name, type } = tool as { readonly name?: unknown; readonly type?: unknown }
  return String(name ?? type ?? 'tool without a name')
}

function gateTool(tool: object, keeper: Gatekeeper): object {
  if (!isFunctionTool(tool)) throw cannotGate(nameOf(tool), 'it has no function, so the provider or a client runs it')
  const { name, description } = tool
  const gated = keeper.tool({ name, ...(typeof description === 'string' ? { description } : {}) })
  const invoke = invoking(tool, gated, keeper)
  return copiedTool(tool, { invoke, call: invoke })
}

function isFunctionTool(tool: object): tool is FunctionTool {
  return 'name' in tool && 'invoke' in tool && '_call' in tool && typeof tool._call === 'function'
}

function invoking(tool: FunctionTool, gated: GatedTool, { gate }: Gatekeeper): Invoke {
  return async (input, runtime) => {
    const call = callOf(input, runtime)
    // The SDK's own pause. Resuming only lets the graph go on: the decision is looked up below.
    if (runtime?.interrupt !== undefined && (await gated.mustPause(call)))
      runtime.interrupt({ tool: tool.name, toolCallId: call.id ?? null })
    try {
      return await runGated(
        gate,
        gated.obtain(call),
        (args) => tool.invoke(isToolCall(input) ? { ...input, args } : args, runtime),
        runtime?.signal,
      )
    } catch (error) {
      if (!(error instanceof RefusedCall) || !isToolCall(input)) throw error
      return await refusalOf(tool, input, error)
    }
  }
}

/** The SDK makes the message, as the result of a tool that only returns these words. */
async function refusalOf(tool: FunctionTool, call: ToolCall, { message }: RefusedCall): Promise<unknown> {
  const words = copiedTool(tool, { schema: {}, responseFormat: 'content', _call: async () => message })
  const told = await words.invoke(call)
  return typeof told === 'object' && told !== null ? Object.assign(told, { status: 'error' }) : told
}

function callOf(input: unknown, runtime: Runtime | undefined): SdkCall {
  if (!isToolCall(input)) return { id: undefined, args: typeof input === 'string' ? { input } : input }
  return { id: input.id, args: input.args, words: wordsIn(runtime?.state, input.id) }
}

function isToolCall(input: unknown): input is ToolCall {
  return typeof input === 'object' && input !== null && 'type' in input && input.type === 'tool_call' && 'args' in input
}
