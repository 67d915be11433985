import { CountersignError, type Json } from '@countersign/core'
import { copiedTool } from '../call/copied-tool.ts'
import { cannotGate, type GatedTool, type Gatekeeper, openGatekeeper, type SdkCall } from '../call/gated-tool.ts'
import type { GateOptions, ToolOptions } from '../call/options.ts'
import type { AskingGate } from '../gate/asking-gate.ts'
import { RefusedCall } from '../gate/refused-call.ts'
import { runGated } from '../gate/run-gated.ts'

/** A tool of an agent: the SDK's `Tool`. */
export interface AgentTool {
  readonly type: string
  readonly name: string
}

/** Options for each tool, by its name. */
export type AgentToolOptions = Readonly<Record<string, ToolOptions>>

/** What the SDK hands to a tool beside its input. */
interface CallDetails {
  readonly toolCall?: { readonly callId?: string }
  readonly signal?: AbortSignal
}

/** The members of a function tool that matter here. */
interface FunctionTool extends AgentTool {
  readonly description?: string
  readonly parameters?: Json
  readonly invoke: (context: unknown, input: string, details?: CallDetails) => Promise<unknown>
  readonly needsApproval: (context: unknown, input: unknown, callId?: string) => Promise<boolean>
  readonly errorFunction?: ((context: unknown, error: unknown, details?: CallDetails) => unknown) | null
}

/**
 * The same tools, behind the gate: `invoke` asks first and runs with the permitted arguments, or returns the refusal, which the
 * model reads as the tool's result. Aborting the run's signal withdraws a held call.
 *
 * Throws at set-up for tools that the SDK's provider runs, or that run outside of a function: shell, patches, computers.
 */
export function gateTools<Tools extends readonly AgentTool[]>(
  tools: Tools,
  gate: AskingGate,
  options: GateOptions<AgentToolOptions> = {},
): Tools {
  const names = tools.map(({ name }) => name)
  const keeper = openGatekeeper('openai-agents', gate, names, options)
  return tools.map((tool) => (keeper.isUngated(tool.name) ? tool : gateTool(tool, keeper))) as unknown as Tools
}

function gateTool(tool: AgentTool, keeper: Gatekeeper): AgentTool {
  if (!isFunctionTool(tool))
    throw cannotGate(tool.name, `it is of type \`${tool.type}\` and runs outside of a function`)
  if (runsAgent(tool)) throw cannotGate(tool.name, 'it runs an agent, whose own tools are to be gated')
  const { name, description, parameters } = tool
  const gated = keeper.tool({
    name,
    ...(description === undefined ? {} : { description }),
    ...(parameters === undefined ? {} : { inputSchema: parameters }),
  })
  return copiedTool(tool, {
    invoke: invoking(tool, gated, keeper),
    ...(keeper.isDurable ? { needsApproval: pausing(tool, gated) } : {}),
  })
}

function isFunctionTool(tool: AgentTool): tool is FunctionTool {
  return tool.type === 'function' && 'invoke' in tool && typeof tool.invoke === 'function'
}

/** What `agent.asTool()` returns also takes listeners for the events of the inner agent. */
function runsAgent(tool: FunctionTool): boolean {
  return 'on' in tool && typeof tool.on === 'function'
}

function invoking(tool: FunctionTool, gated: GatedTool, { gate }: Gatekeeper): FunctionTool['invoke'] {
  return async (context, input, details) => {
    try {
      return await runGated(
        gate,
        async (leaving) => gated.obtain(callOf(readInput(input), details?.toolCall?.callId))(leaving),
        (args) => tool.invoke(context, JSON.stringify(args), details),
        details?.signal,
      )
    } catch (error) {
      if (!(error instanceof RefusedCall)) throw error
      // A tool with an output schema promises its own form for errors too.
      return tool.errorFunction ? tool.errorFunction(context, error, details) : error.message
    }
  }
}

/** The SDK's own pause, an interruption. Its answer only lets the run go on: `invoke` looks up the decision. */
function pausing(tool: FunctionTool, gated: GatedTool): FunctionTool['needsApproval'] {
  return async (context, input, callId) =>
    (await gated.mustPause(callOf(input, callId))) || (await tool.needsApproval(context, input, callId))
}

/** The model's arguments. What is judged is written anew for the tool, so a repeated key can't mean two things. */
function readInput(input: string): unknown {
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input)
  } catch {
    throw new CountersignError('CS_CALL_ARGS', 'the arguments are not valid JSON; correct them')
  }
}

function callOf(args: unknown, id: string | undefined): SdkCall {
  return { id, args }
}
