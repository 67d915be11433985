import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk'
import { gateOptions } from '@countersign/adapters/claude-agent-sdk'
import { markOf } from '@countersign/core'
import { openGate } from '@countersign/node'
import { z } from 'zod'

const { gate } = await openGate({ home: 'gate-home' }) // policy, store and keys; default: ~/.countersign
gate.subscribe((event) => {
  if (event.kind === 'held') console.log(`held: npx countersign approve ${markOf(event.view)} --home gate-home`)
})
const publish = tool('publish', 'Puts a page online', { page: z.string() }, async ({ page }) => ({
  content: [{ type: 'text', text: `${page} is online` }],
}))
const model = await scriptedModel() // yours: leave `env` and `settingSources` out
const options = {
  mcpServers: { site: createSdkMcpServer({ name: 'site', tools: [publish] }) },
  settingSources: [],
  env: { PATH: process.env['PATH'], HOME: process.cwd(), ANTHROPIC_BASE_URL: model.origin, ANTHROPIC_API_KEY: 'none' },
}
const tools = { mcp__site__publish: { requiresConfirmation: true } }
for await (const message of query({ prompt: 'Publish the prices', options: gateOptions(options, gate, { tools }) })) {
  const content = message.type === 'user' ? message.message.content : []
  for (const part of Array.isArray(content) ? content : [])
    if (part.type === 'tool_result') console.log(textOf(part.content))
  if (message.type === 'result' && message.subtype === 'success') console.log(message.result)
}
model.server.close()
await gate.close()
/** A tool's result, without the name of the hook that the SDK writes before a refusal. */
function textOf(content: unknown): string {
  return Array.isArray(content) ? Object(content[0]).text : String(content).replace(/^PreToolUse:\S+ hook error: /, '')
}

/** A model on this machine: it publishes the prices, and then it is done. */
async function scriptedModel() {
  const call = { type: 'tool_use', id: 'call_1', name: 'mcp__site__publish', input: {} }
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const isDone = body.includes('"tool_result"')
    const [block, text] = isDone ? [{ type: 'text', text: '' }, 'I am done.'] : [call, '{"page":"prices"}']
    const delta = isDone ? { type: 'text_delta', text } : { type: 'input_json_delta', partial_json: text }
    const [usage, stop] = [{ input_tokens: 1, output_tokens: 1 }, isDone ? 'end_turn' : 'tool_use']
    const send = (type: string, data: object) =>
      response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    send('message_start', { message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage } })
    send('content_block_start', { index: 0, content_block: block })
    send('content_block_delta', { index: 0, delta })
    send('content_block_stop', { index: 0 })
    send('message_delta', { delta: { stop_reason: stop, stop_sequence: null }, usage })
    response.end('event: message_stop\ndata: {"type":"message_stop"}\n\n')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}
