import type { JsonObject } from '@countersign/core'
import { BUILTIN_TOOLS } from './builtin-tools.ts'
import type { AgentTool } from './definition/agent-tool.ts'

/** A built-in tool by its name. */
export function builtin(name: string): AgentTool {
  const tool = BUILTIN_TOOLS.find((one) => one.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return tool
}

/** Runs a built-in tool in a workspace, without a gate, and collects its stream. */
export async function runTool(
  name: string,
  args: JsonObject,
  workspace: string,
  signal: AbortSignal = new AbortController().signal,
  mayRead: (path: string) => boolean = () => true,
  paths?: readonly string[],
): Promise<{ readonly text: string; readonly streamed: readonly string[] }> {
  const streamed: string[] = []
  const text = await builtin(name).run(args, {
    workspace,
    ...(paths === undefined ? {} : { paths }),
    signal,
    output: (stream, piece) => streamed.push(`${stream}: ${piece}`),
    mayRead: async (path) => mayRead(path),
  })
  return { text, streamed }
}
