import type { JsonObject } from '@countersign/core'
import { openGatekeeper } from '../call/gated-tool.ts'
import type { GateOptions, ToolOptions } from '../call/options.ts'
import type { AskingGate } from '../gate/asking-gate.ts'
import { invalidAnswer, type RefusedCall, refusedBy, setupError } from '../gate/refused-call.ts'
import { type StartedCall, startGated } from '../gate/run-gated.ts'
import { callerOf, isToolEvent, type ToolEvent, toolOf } from './tool-event.ts'

/** Options for each tool, by the SDK's name of it, such as `Bash` or `mcp__shop__buy`. */
export type ClaudeToolOptions = Readonly<Record<string, ToolOptions>>

/** The SDK has no pause that outlives its process. */
export type ClaudeOptions = Omit<GateOptions<ClaudeToolOptions>, 'durable'>

/** The options of `query()` that matter here: the SDK's `Options`. */
interface QueryOptions {
  readonly hooks?: Readonly<Record<string, readonly object[] | undefined>>
}

type Hook = (input: unknown, id: string | undefined, about: { readonly signal: AbortSignal }) => Promise<object>

/** One day, the longest that a call may be asked for. In seconds. */
const TIMEOUT_S = 24 * 60 * 60
/** The SDK keeps no more calls open at once. */
const MOST_OPEN = 10_000

/**
 * The same options of `query()`, with every tool call behind the gate in every permission mode: built-in tools, MCP tools and those of
 * sub-agents. It is a `PreToolUse` hook that blocks if it fails; reports after the tool tell the gate how the call ended.
 *
 * Throws at set-up for other `PreToolUse` hooks, which could change the arguments after they were permitted.
 */
export function gateOptions<Options extends object>(
  options: Options,
  gate: AskingGate,
  about: ClaudeOptions = {},
): Options {
  const { hooks = {} } = options as QueryOptions
  if ((hooks['PreToolUse'] ?? []).length > 0)
    throw setupError('another `PreToolUse` hook could change what was permitted; remove it from the options of `query`')
  const started = new Map<string, StartedCall>()
  const after = (hook: Hook, event: string) => [...(hooks[event] ?? []), { hooks: [hook] }]
  const ended = reporting(started)
  return {
    ...options,
    hooks: {
      ...hooks,
      // SECURITY: without `block`, the SDK runs the tool of a hook that throws.
      PreToolUse: [{ hooks: [asking(gate, about, started)], timeout: TIMEOUT_S, onFailure: 'block' }],
      PostToolUse: after(ended, 'PostToolUse'),
      PostToolUseFailure: after(ended, 'PostToolUseFailure'),
    },
  }
}

function asking(gate: AskingGate, about: ClaudeOptions, started: Map<string, StartedCall>): Hook {
  return async (input, _, { signal }) => {
    try {
      if (!isToolEvent(input) || started.has(input.tool_use_id) || started.size >= MOST_OPEN) throw invalidAnswer()
      if (about.ungated?.includes(input.tool_name)) return {}
      const call = await startGated(gate, obtaining(input, gate, about), signal)
      started.set(input.tool_use_id, call)
      return allowed(call.args)
    } catch (error) {
      return denied(refusedBy(error))
    }
  }
}

/** Its tools are known by their calls only. */
function obtaining(event: ToolEvent, gate: AskingGate, about: ClaudeOptions) {
  const { tools = {}, ...rest } = about
  const { name, server } = toolOf(event)
  const registered = Object.hasOwn(tools, event.tool_name) ? tools[event.tool_name] : undefined
  const keeper = openGatekeeper('claude-agent-sdk', gate, [name, ...(rest.ungated ?? [])], {
    ...rest,
    agent: callerOf(event, rest.agent),
    tools: { [name]: { ...registered, ...(server === undefined ? {} : { server }) } },
  })
  return keeper.tool({ name }).obtain({ id: event.tool_use_id, args: event.tool_input, cwd: event.cwd })
}

function reporting(started: Map<string, StartedCall>): Hook {
  return async (input) => {
    if (!isToolEvent(input)) return {}
    const call = started.get(input.tool_use_id)
    started.delete(input.tool_use_id)
    await (input.hook_event_name === 'PostToolUse' ? call?.completed(input.tool_response) : call?.failed(input.error))
    return {}
  }
}

/** INVARIANT: L5, what runs is what was permitted, whatever the SDK holds as the input. */
function allowed(args: JsonObject): object {
  return decision('allow', { updatedInput: args })
}

function denied({ message }: RefusedCall): object {
  return decision('deny', { permissionDecisionReason: message })
}

function decision(permissionDecision: 'allow' | 'deny', rest: object): object {
  return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision, ...rest } }
}
