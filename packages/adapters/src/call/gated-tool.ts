import type { Agent, Call, Json, JsonObject } from '@countersign/core'
import { type AskingGate, askGate, isLocal } from '../gate/asking-gate.ts'
import { setupError } from '../gate/refused-call.ts'
import type { Obtain } from '../gate/run-gated.ts'
import { type DurableCalls, openDurableCalls } from './durable-calls.ts'
import type { GateOptions, ToolOptions, Words } from './options.ts'

/** A tool as its SDK defines it for the model. */
export interface SdkTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: Json
}

/** One call, as the SDK hands it over. */
export interface SdkCall {
  /** The SDK's id of the call. */
  readonly id: string | undefined
  readonly args: unknown
  readonly words?: Words
  /** The folder that the call runs in, if the SDK names it; otherwise the workspace. */
  readonly cwd?: string
}

/** One tool behind the gate. */
export interface GatedTool {
  /** How to obtain the permit of a call: by asking, or for a durable call by submitting and collecting it. */
  obtain(call: SdkCall): Obtain
  /** Whether the SDK should pause: the call is submitted and waits for a person. Always false if calls are not durable. */
  mustPause(call: SdkCall): Promise<boolean>
}

/** Puts the tools of one agent behind a gate. */
export interface Gatekeeper {
  readonly gate: AskingGate
  readonly isDurable: boolean
  /** Whether the author listed the tool as `ungated`. */
  isUngated(name: string): boolean
  tool(tool: SdkTool): GatedTool
}

/** Checks the options once, before any call. `source` names the SDK. */
export function openGatekeeper(
  source: string,
  gate: AskingGate,
  names: readonly string[],
  options: GateOptions<object>,
): Gatekeeper {
  checkNames(names, options)
  const { ungated = [], durable } = options
  const calls = durable === undefined ? undefined : openDurableCalls(source, gate, durable)
  return {
    gate,
    isDurable: calls !== undefined,
    isUngated: (name) => ungated.includes(name),
    tool: (tool) => gatedTool(tool, gate, calls, options),
  }
}

/** Throws if the options name a tool that isn't there: a misspelled one would be gated differently from what its author wrote. */
export function checkNames(names: readonly string[], { tools = {}, ungated = [] }: GateOptions<object>): void {
  const unknown = [...Object.keys(tools), ...ungated].find((name) => !names.includes(name))
  if (unknown !== undefined) throw setupError(`there is no tool \`${unknown}\`; correct the options of the gate`)
}

/** The line for a tool that runs where no adapter can hold it. */
export function cannotGate(name: string, why: string): Error {
  return setupError(`the tool \`${name}\` can't be gated: ${why}; remove it, or list it in \`ungated\``)
}

function gatedTool(
  tool: SdkTool,
  gate: AskingGate,
  calls: DurableCalls | undefined,
  options: GateOptions<object>,
): GatedTool {
  const registered = ownOf(options.tools, tool.name)
  const callOf = ({ id, args, words, cwd }: SdkCall): Call => ({
    ...aboutTool(tool, registered, isLocal(gate) ? undefined : args),
    ...agentOf(options.agent),
    ...words,
    ...options.words?.(id),
    ...(cwd === undefined ? {} : { cwd }),
    args: args ?? {},
  })
  return {
    obtain: (call) => async (leaving) => {
      const { id } = call
      return calls === undefined ? askGate(gate, callOf(call), leaving) : calls.collect(id, callOf(call), leaving)
    },
    // A call that can't even be put into words pauses nothing: `obtain` meets the same failure, and refuses.
    mustPause: async (call) => calls !== undefined && (await calls.mustPause(call.id, () => callOf(call))),
  }
}

/** SECURITY: a tool may be called `constructor` or `__proto__`: only own properties are options. */
function ownOf(tools: object | undefined, name: string): ToolOptions {
  const found: unknown = tools !== undefined && Object.hasOwn(tools, name) ? Reflect.get(tools, name) : undefined
  return typeof found === 'object' && found !== null ? found : {}
}

/** `remoteArgs`: a gate in a service gets the description as data, because code stays here. */
function aboutTool(tool: SdkTool, registered: ToolOptions, remoteArgs: unknown): Omit<Call, 'args'> {
  const { describe, preview, server, annotations, ...flags } = registered
  const { name, description = null, inputSchema = null } = tool
  const asArgs = (args: unknown) => args as Record<string, unknown>
  return {
    ...flags,
    tool: {
      name,
      definition: { description, inputSchema },
      ...(description === null ? {} : { description }),
      ...(server === undefined ? {} : { server }),
      ...(annotations === undefined ? {} : { annotations }),
    },
    ...(describe === undefined ? {} : { describe: (frozen: JsonObject) => describe(asArgs(frozen)) }),
    ...(describe === undefined || remoteArgs === undefined ? {} : { description: describe(asArgs(remoteArgs)) }),
    ...(preview === undefined ? {} : { preview: (frozen: JsonObject) => preview(asArgs(frozen)) }),
  }
}

function agentOf(agent: string | Agent | undefined): { readonly agent?: Agent } {
  return agent === undefined ? {} : { agent: typeof agent === 'string' ? { name: agent } : agent }
}
