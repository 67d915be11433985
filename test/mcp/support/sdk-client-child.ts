/**
 * The SDK's client in its own process (one of its dependencies has a `source` condition, which our tests use).
 * Reads a script as JSON from its arguments and prints the result of every step as JSON.
 * Run as: node sdk-client-child.ts <script>
 */
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import type { ClientScript } from './drive-client.ts'

const { command, calls } = JSON.parse(process.argv[2] ?? '{}') as ClientScript
const [program = '', ...args] = command.argv
const notices: string[] = []
const client = new Client(
  { name: 'test-client', version: '1' },
  { capabilities: { sampling: {}, elicitation: {}, roots: {} } },
)
client.setRequestHandler('sampling/createMessage', () => ({
  model: 'stand-in',
  role: 'assistant',
  content: { type: 'text', text: 'sampled' },
}))
client.setRequestHandler('elicitation/create', () => ({ action: 'decline' }))
client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///srv/project', name: 'project' }] }))

const { cwd, env } = command
const environment = Object.fromEntries(Object.entries(env ?? process.env).filter(([, value]) => value !== undefined))
await client.connect(
  new StdioClientTransport({
    command: program,
    args,
    stderr: 'inherit',
    env: environment as Record<string, string>,
    ...(cwd === undefined ? {} : { cwd }),
  }),
)
const { tools } = await client.listTools()
const results: unknown[] = []
for (const call of calls) {
  // The last progress message arrives with the result, when the SDK may already have finished the call.
  const onprogress = (step: { progress: number; total?: number | undefined }) => {
    if (step.progress !== step.total) notices.push(JSON.stringify(step))
  }
  results.push(
    await client.callTool(call, { onprogress, timeout: 120_000 }).catch((error: unknown) => `threw: ${String(error)}`),
  )
}
const capabilities = client.getServerCapabilities()
const resources = capabilities?.resources === undefined ? [] : await client.listResources()
const prompts = capabilities?.prompts === undefined ? [] : await client.listPrompts()
await client.close()
process.stdout.write(JSON.stringify({ tools, results, notices, resources, prompts, server: client.getServerVersion() }))
