import { canonicalJson, sizeWords } from '@countersign/core'
import {
  type CallToolResult,
  Client,
  type ContentBlock,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import type { AgentTool } from '../tools/definition/agent-tool.ts'
import { boundedText } from '../tools/definition/output-limit.ts'
import { toolFailure } from '../tools/definition/tool-failure.ts'
import type { McpServer } from './config.ts'
import { type ServerTool, serverTool } from './server-tool.ts'
import { StdioTransport } from './stdio-transport.ts'

const CONNECT_MS = 20_000
const CALL_MS = 10 * 60_000
const MAX_TOOLS = 200

/** A connected server and its tools. */
export interface ConnectedServer {
  readonly tools: readonly ServerTool[]
  readonly problems: readonly string[]
  /** Turns a listed tool into an agent tool. */
  agentTool(tool: ServerTool): AgentTool
  close(): Promise<void>
}

/** Connects to one server and lists its tools. The server may request nothing from us (sampling, elicitation, roots). */
export async function connectServer(name: string, server: McpServer, workspace: string): Promise<ConnectedServer> {
  const transport = transportOf(server, workspace)
  const client = new Client(
    { name: 'countersign', version: '0.1.0' },
    // On stdio, negotiating the newer protocol would start the program twice, which may have effects.
    'url' in server ? { versionNegotiation: { mode: 'auto' } } : {},
  )
  try {
    await client.connect(transport, { timeout: CONNECT_MS })
    const entries = await list(client)
    const read = entries.slice(0, MAX_TOOLS).map((entry) => serverTool(name, entry))
    const problems = read.filter((one) => typeof one === 'string')
    if (entries.length > MAX_TOOLS)
      problems.push(`server \`${name}\` lists ${entries.length} tools; only the first ${MAX_TOOLS} are offered`)
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

/** SECURITY: A20 the gate judged one definition; a tool that is gone or changed is another tool. */
async function refuseChanged({ server, name, definition }: ServerTool, client: Client): Promise<void> {
  const now = (await list(client)).map((entry) => serverTool(server, entry))
  const same = now.filter((one) => typeof one !== 'string' && one.name === name)
  const [only] = same
  if (same.length !== 1 || only === undefined || typeof only === 'string')
    throw toolFailure(`server \`${server}\` does not list \`${name}\` any more; nothing was called`)
  if (canonicalJson(only.definition) !== canonicalJson(definition))
    throw toolFailure(
      `server \`${server}\` changed the definition of \`${name}\`; nothing was called, restart to use it`,
    )
}

function explained(error: unknown, transport: Transport): Error {
  const said = transport instanceof StdioTransport ? (transport.stderr.trim().split('\n').at(-1) ?? '') : ''
  const message = (error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)).replace(
    /:? \[$/,
    '',
  )
  return new Error(said === '' ? message : `${message}; its output: ${said.slice(0, 300)}`, { cause: error })
}

/** The result of a server’s tool, as text for the model. */
export function resultText({ content = [], structuredContent }: CallToolResult): string {
  const said = content.map(blockText).filter((text) => text !== '')
  if (said.length === 0 && structuredContent !== undefined) return boundedText(JSON.stringify(structuredContent))
  return said.length === 0 ? 'it finished without output' : boundedText(said.join('\n'))
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}, ${sizeWords(Math.floor((block.data.length * 3) / 4))}]`
    case 'resource_link':
      return `[resource ${block.uri}]`
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[resource ${block.resource.uri}]`
    default:
      return '[content of an unknown kind]'
  }
}
