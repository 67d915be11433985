import type { AgentTool } from '../tools/definition/agent-tool.ts'
import type { McpServers } from './config.ts'
import type { ConnectedServer } from './server-connection.ts'
import { withoutCollisions } from './server-tool.ts'

/** The tools of several MCP servers. */
export interface McpTools {
  readonly tools: readonly AgentTool[]
  /** Unusable servers and omitted tools, one line each. */
  readonly problems: readonly string[]
  /** Stops every server and everything it started. */
  close(): Promise<void>
}

/**
 * Connects to MCP servers and turns their tools into agent tools. A failing server loses only its own tools; unlisted
 * tools cannot be called, and the gate holds every call unless a rule allows it.
 */
export async function openMcpTools(
  servers: McpServers,
  { workspace, taken = [] }: { readonly workspace: string; readonly taken?: readonly string[] },
): Promise<McpTools> {
  const names = Object.keys(servers).sort()
  // The MCP library is loaded only when there is a server.
  const { connectServer } = await import('./server-connection.ts')
  const settled = await Promise.allSettled(
    names.map((name) => {
      const server = servers[name]
      return server === undefined
        ? Promise.reject(new Error('it was not found'))
        : connectServer(name, server, workspace)
    }),
  )
  const problems: string[] = []
  const connected = new Map<string, ConnectedServer>()
  for (const [at, result] of settled.entries()) {
    const name = names[at] ?? ''
    if (result.status === 'fulfilled') connected.set(name, result.value)
    else problems.push(`server \`${name}\` cannot be used: ${messageOf(result.reason)}`)
  }
  const listed = [...connected.values()].flatMap(({ tools }) => tools)
  const { kept, problems: colliding } = withoutCollisions(listed)
  const free = kept.filter(({ modelName }) => !taken.includes(modelName))
  for (const { server, name } of kept.filter((tool) => !free.includes(tool)))
    problems.push(`tool \`${server}/${name}\` has the name of another tool and is omitted`)
  return {
    tools: free.flatMap((tool) => connected.get(tool.server)?.agentTool(tool) ?? []),
    problems: [...problems, ...[...connected.values()].flatMap((one) => one.problems), ...colliding],
    close: async () => void (await Promise.allSettled([...connected.values()].map((one) => one.close()))),
  }
}

function messageOf(reason: unknown): string {
  return reason instanceof Error ? reason.message : String(reason)
}
