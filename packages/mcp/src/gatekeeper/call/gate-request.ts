import type { Call, Gate, Json, JsonObject } from '@countersign/core'
import { isObject } from '../../json/value.ts'
import type { AdvertisedTool } from '../../pins/catalogue.ts'
import { SHOWN_TASK, type ToolCall } from './tool-call.ts'

/** Who asks for a tool of which server, and for how long they wait. */
export interface Asker {
  readonly id: string
  readonly server: string
  readonly agent: string | null
  readonly cwd: string | null
  readonly timeoutMs: number | null
}

/** A call as the gate is asked for it. */
export interface AskedCall extends Call {
  readonly id: string
  readonly args: Json
}

const LONGEST_DESCRIPTION = 4000

/** A server's tool call as the gate is asked for it. */
export function askedCall(call: ToolCall, tool: AdvertisedTool, asker: Asker): AskedCall {
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
  }
}

/** INVARIANT: L5, that a call is to be a task is judged, shown and bound like an argument, under a name that none has. */
function judgedArgs({ args, task }: ToolCall): Json {
  if (task === null || (args !== undefined && !isObject(args))) return args === undefined ? {} : args
  return { ...args, [SHOWN_TASK]: task }
}

/** INVARIANT: L2, a deny that came into force since a call was approved holds for what is still to come of it. */
export async function isDeniedNow(call: Call, args: JsonObject, gate: Pick<Gate, 'explain'>): Promise<boolean> {
  try {
    return (await gate.explain({ ...call, args })).verdict.supervision === 'deny'
  } catch {
    return true
  }
}
