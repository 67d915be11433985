import type { JsonObject } from '@countersign/core'
import { copiedTool } from '../call/copied-tool.ts'
import { cannotGate, type GatedTool, type Gatekeeper, openGatekeeper, type SdkCall } from '../call/gated-tool.ts'
import type { GateOptions, ToolOptions } from '../call/options.ts'
import type { AskingGate } from '../gate/asking-gate.ts'
import { runGated, streamGated } from '../gate/run-gated.ts'
import { inputFor } from './edited-input.ts'
import { type Message, messageOf, wordsBefore } from './words.ts'

/** The tools of `generateText`, `streamText` or an agent: the SDK's `ToolSet`, of version 6 or 7. */
export type AiTools = Readonly<Record<string, object>>

/** The input that a tool's `execute` gets. */
export type InputOf<Tool> = Tool extends { readonly execute?: infer Execute }
  ? NonNullable<Execute> extends (input: infer Input, ...rest: never) => unknown
    ? Input extends object
      ? Input
      : Record<string, unknown>
    : Record<string, unknown>
  : Record<string, unknown>

/** Options for each tool, by its name. */
export type AiToolOptions<Tools extends AiTools> = {
  readonly [Name in keyof Tools]?: ToolOptions<InputOf<Tools[Name]>>
}

/** What the SDK hands to a tool beside its input. */
interface ExecutionOptions {
  readonly toolCallId: string
  readonly messages: readonly Message[]
  readonly abortSignal?: AbortSignal
}

type Execute = (input: unknown, options: ExecutionOptions) => unknown
/** Runs the tool on permitted arguments. Its result is wrapped, because awaiting it would lose the parts of a generator. */
type Run = (asked: unknown, permitted: JsonObject, options: ExecutionOptions) => Promise<{ readonly result: unknown }>
type NeedsApproval = boolean | ((input: unknown, options: ExecutionOptions) => unknown)

/** The members of a tool that matter here. */
interface AiTool {
  readonly description?: unknown
  readonly inputSchema?: unknown
  readonly execute?: Execute
  readonly needsApproval?: NeedsApproval
}

const STREAMS = Object.getPrototypeOf(async function* () {}).constructor

/**
 * The same tools, behind the gate: `execute` asks first and runs with the permitted arguments, or throws the refusal, which the
 * SDK gives to the model as a tool error. Aborting the SDK's signal withdraws a held call.
 *
 * Throws at set-up for tools that this process does not execute.
 */
export function gateTools<Tools extends AiTools>(
  tools: Tools,
  gate: AskingGate,
  options: GateOptions<AiToolOptions<Tools>> = {},
): Tools {
  const keeper = openGatekeeper('ai-sdk', gate, Object.keys(tools), options)
  const entries = Object.entries(tools).map(([name, tool]) => [
    name,
    keeper.isUngated(name) ? tool : gateTool(name, tool, keeper),
  ])
  return Object.fromEntries(entries)
}

function gateTool(name: string, tool: AiTool, keeper: Gatekeeper): object {
  const { description, inputSchema, execute, needsApproval } = tool
  if (typeof execute !== 'function') throw cannotGate(name, 'it has no `execute`, so the provider or a client runs it')
  const gated = keeper.tool({ name, ...(typeof description === 'string' ? { description } : {}) })
  const run: Run = async (asked, permitted, options) => {
    const input = await inputFor(inputSchema, asked, permitted)
    if (options.abortSignal?.aborted) throw new Error('the agent stopped before the tool started')
    return { result: execute.call(tool, input, options) }
  }
  return copiedTool(tool, {
    execute: execute instanceof STREAMS ? streaming(run, gated, keeper) : whole(run, gated, keeper),
    ...(keeper.isDurable ? { needsApproval: pausing(needsApproval, tool, gated) } : {}),
  })
}

/** Async generators stay ones, because the SDK shows their parts while they run. */
function streaming(run: Run, gated: GatedTool, { gate }: Gatekeeper): Execute {
  return (input, options) =>
    streamGated(
      gate,
      gated.obtain(callOf(input, options)),
      async function* (args) {
        yield* (await run(input, args, options)).result as AsyncIterable<unknown>
      },
      options.abortSignal,
    )
}

function whole(run: Run, gated: GatedTool, { gate }: Gatekeeper): Execute {
  return (input, options) =>
    runGated(
      gate,
      gated.obtain(callOf(input, options)),
      async (args) => lastPart(await (await run(input, args, options)).result),
      options.abortSignal,
    )
}

/** A function may return parts too. Whether it does is known only after it was permitted: the last one is its result. */
async function lastPart(result: unknown): Promise<unknown> {
  if (typeof result !== 'object' || result === null || !(Symbol.asyncIterator in result)) return result
  let last: unknown
  for await (const part of result as AsyncIterable<unknown>) last = part
  return last
}

/** The SDK's own pause, `user-approval`. Its answer only lets the run go on: `execute` looks up the decision. */
function pausing(own: NeedsApproval | undefined, tool: object, gated: GatedTool): NeedsApproval {
  return async (input, options) => {
    // A resumed run asks again whether its call had to pause, and version 6 runs no call that would not pause now.
    if (messageOf(options.messages, options.toolCallId) !== undefined) return true
    if (await gated.mustPause(callOf(input, options))) return true
    return typeof own === 'function' ? own.call(tool, input, options) : own === true
  }
}

function callOf(args: unknown, { toolCallId, messages }: ExecutionOptions): SdkCall {
  return { id: toolCallId, args, words: wordsBefore(messages, toolCallId) }
}
