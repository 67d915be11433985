import { canonicalJson } from '@countersign/core'
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import { toolFailure } from '../tools/definition/tool-failure.ts'
import type { McpServer } from './config.ts'
import { resultText } from './result-text.ts'
import { type ServerTool, serverTool } from './server-tool.ts'
import { StdioTransport } from './stdio-transport.ts'

const CONNECT_MS = 20_000
const CALL_MS = 10 * 60_000
const MOST_TOOLS = 200

/** A server that answers, with what it lists. */
export interface ConnectedServer {
  readonly tools: readonly ServerTool[]
  readonly problems: readonly string[]
  /** A listed tool as one of the agent's. */
  agentTool(tool: ServerTool): AgentTool
  close(): Promise<void>
}

/** Starts or reaches one server and reads its list. What the server may ask of us (sampling, elicitation, roots) is nothing. */
export async function connectServer(name: string, server: McpServer, workspace: string): Promise<ConnectedServer> {
  const transport = transportOf(server, workspace)
  const client = new Client(
    { name: 'countersign', version: '0.1.0' },
    // On stdio the newer protocol is found out by starting the program twice, which may have effects.
    'url' in server ? { versionNegotiation: { mode: 'auto' } } : {},
  )
  try {
    await client.connect(transport, { timeout: CONNECT_MS })
    const entries = await list(client)
    const read = entries.slice(0, MOST_TOOLS).map((entry) => serverTool(name, entry))
    const problems = read.filter((one) => typeof one === 'string')
    if (entries.length > MOST_TOOLS)
      problems.push(`server \`${name}\` lists ${entries.length} tools; only the first ${MOST_TOOLS} are offered`)
    return {
      tools: read.filter((one) => typeof one !== 'string'),
      problems,
      agentTool: (tool) => agentTool(tool, client),
      close: () => client.close(),
    }
  } catch (error) {
    await client.close().catch(() => {})
    await transport.close().catch(() => {})
    throw explained(error, transport)
  }
}

function transportOf(server: McpServer, workspace: string): Transport {
  if (!('url' in server)) return new StdioTransport(server, workspace)
  return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: { ...server.headers } } })
}

async function list(client: Client): Promise<readonly unknown[]> {
  return (await client.listTools(undefined, { cacheMode: 'refresh', timeout: CONNECT_MS })).tools
}

function agentTool(tool: ServerTool, client: Client): AgentTool {
  const { server, name, modelName, description, inputSchema, definition, annotations } = tool
  return {
    name: modelName,
    nameOnServer: name,
    server,
    source: 'mcp',
    description,
    inputSchema,
    definition,
    ...(annotations === null ? {} : { annotations: { ...annotations } }),
    async run(args, { signal }) {
      await refuseChanged(tool, client)
      signal.throwIfAborted()
      const result = await client.callTool({ name, arguments: { ...args } }, { signal, timeout: CALL_MS })
      const text = resultText(result)
      if (result.isError === true) throw toolFailure(text)
      return text
    },
  }
}

/** SECURITY: A20 the gate judged one definition; a tool that is listed no more, or otherwise, is another tool. */
async function refuseChanged({ server, name, definition }: ServerTool, client: Client): Promise<void> {
  const now = (await list(client)).map((entry) => serverTool(server, entry))
  const same = now.filter((one) => typeof one !== 'string' && one.name === name)
  const [only] = same
  if (same.length !== 1 || only === undefined || typeof only === 'string')
    throw toolFailure(`server \`${server}\` does not list \`${name}\` any more; nothing was called`)
  if (canonicalJson(only.definition) !== canonicalJson(definition))
    throw toolFailure(
      `server \`${server}\` changed the definition of \`${name}\`; nothing was called, start anew to use it`,
    )
}

function explained(error: unknown, transport: Transport): Error {
  const said = transport instanceof StdioTransport ? (transport.stderr.trim().split('\n').at(-1) ?? '') : ''
  const message = (error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)).replace(
    /:? \[$/,
    '',
  )
  return new Error(said === '' ? message : `${message}; it said: ${said.slice(0, 300)}`, { cause: error })
}
