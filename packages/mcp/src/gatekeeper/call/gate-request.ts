import { createHash } from 'node:crypto'
import {
  type Call,
  canonicalJson,
  type Gate,
  isJsonObject,
  type Json,
  type JsonObject,
  readTraceparent,
} from '@countersign/core'
import type { AdvertisedTool } from '../../pins/catalogue.ts'
import { SHOWN_TASK, type ToolCall } from './tool-call.ts'

/** Who calls a tool of which server, and how long they wait. */
interface Asker {
  readonly id: string
  readonly server: string
  readonly agent: string | null
  readonly cwd: string | null
  readonly timeoutMs: number | null
}

/** A call as submitted to the gate. */
export interface GateRequest extends Call {
  readonly id: string
  readonly args: Json
}

const LONGEST_DESCRIPTION = 4000

/** Builds the request to the gate for a tool call. */
export function gateRequest(call: ToolCall, tool: AdvertisedTool, asker: Asker): GateRequest {
  const { id, server, agent, cwd, timeoutMs } = asker
  const description = tool.description?.slice(0, LONGEST_DESCRIPTION).toWellFormed()
  return {
    id,
    tool: {
      server,
      name: tool.name,
      definition: tool.definition,
      ...(description === undefined ? {} : { description }),
      ...(tool.annotations === null ? {} : { annotations: tool.annotations }),
    },
    args: judgedArgs(call),
    source: 'mcp',
    ...(cwd === null ? {} : { cwd }),
    ...(agent === null ? {} : { agent: { name: agent } }),
    ...(timeoutMs === null ? {} : { timeoutMs }),
    ...reasoningOf(call.meta),
    ...traceOf(call.meta),
  }
}

const REASONING = ['reasoning', 'thinking', 'plan']

/** The agent's thinking, if its client gives it in `_meta` under one of these names, with or without a prefix. */
function reasoningOf(meta: JsonObject | null): Pick<Call, 'reasoning'> {
  for (const name of REASONING)
    for (const [key, value] of Object.entries(meta ?? {})) {
      if (key !== name && !key.endsWith(`/${name}`)) continue
      if (typeof value === 'string') return { reasoning: value }
      const steps = Array.isArray(value) ? value.filter((step) => typeof step === 'string') : []
      if (steps.length > 0) return { reasoning: steps }
    }
  return {}
}

/** The client's own trace, as MCP reserves it in `_meta`. The server gets it too, unchanged. */
function traceOf(meta: JsonObject | null): Pick<Call, 'traceparent'> {
  const traceparent = readTraceparent(meta?.['traceparent'])
  return traceparent === undefined ? {} : { traceparent }
}

/** INVARIANT: L5, the task of a call is judged, shown and bound like an argument, under a reserved name. */
function judgedArgs({ args, task }: ToolCall): Json {
  if (task === null || (args !== undefined && !isJsonObject(args))) return args === undefined ? {} : args
  return { ...args, [SHOWN_TASK]: task }
}

/** INVARIANT: L2, a deny added since the approval applies to the rest of the call. */
export async function isDeniedNow(call: Call, args: JsonObject, gate: Pick<Gate, 'explain'>): Promise<boolean> {
  try {
    return (await gate.explain({ ...call, args })).verdict.supervision === 'deny'
  } catch {
    return true
  }
}

/**
 * What a decision is bound to: the accepted tool and the judged arguments, including the task. Only `_meta` reaches a
 * server without being shown.
 */
export function callKey(
  tool: { readonly name: string; readonly definition: Json },
  args: Json | undefined,
  state?: string,
): string {
  const bound = canonicalJson([tool.name, tool.definition, args ?? null, state ?? null])
  return createHash('sha256').update(bound).digest('hex')
}
