/**
 * The same tools on the official SDK: a typical server, to compare throughput.
 * Run as: node sdk-server-child.ts
 */
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const server = new McpServer({ name: 'bench', version: '1' })
const inputSchema = fromJsonSchema<{ message?: string }>({
  type: 'object',
  properties: { message: { type: 'string' } },
})
for (const name of ['read_text', 'process_text'])
  server.registerTool(name, { description: 'gives text', inputSchema }, ({ message = '' }) => ({
    content: [{ type: 'text', text: message }],
  }))
await server.connect(new StdioServerTransport())
