/** An HTTP server with answers from the test, for tests of misbehaving servers. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ScriptedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  /** The message in its body; empty if there is none. */
  readonly message: { readonly id?: unknown; readonly method?: string; readonly params?: Record<string, unknown> }
}

export type Script = (asked: ScriptedRequest, answer: ServerResponse) => void

/** Starts the server on a free port, for one test. */
export async function startScripted(script: Script) {
  const seen: ScriptedRequest[] = []
  const server = createServer(async (request, answer) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    const message = body.startsWith('{') ? JSON.parse(body) : {}
    const { method = '', url: path = '', headers } = request
    const asked: ScriptedRequest = { method, path, headers, message }
    seen.push(asked)
    script(asked, answer)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  /** Closes at once, dropping pending answers. */
  function kill(): void {
    server.close()
    server.closeAllConnections()
  }
  onTestFinished(kill)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`, seen, kill }
}

export const toolNamed = (name: string, description = 'a tool', more: object = {}) => ({
  name,
  description,
  inputSchema: { type: 'object' },
  ...more,
})

/** Answers with one body. */
export function sayJson(answer: ServerResponse, message: object, headers: object = {}): void {
  answer.writeHead(200, { 'content-type': 'application/json', ...headers })
  answer.end(JSON.stringify({ jsonrpc: '2.0', ...message }))
}

/** Starts or continues a stream. */
export function sayEvent(answer: ServerResponse, message: object): void {
  if (!answer.headersSent) answer.writeHead(200, { 'content-type': 'text/event-stream' })
  answer.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
}

/** The answers of a well-behaved server without sessions. */
export function behave({ method, message }: ScriptedRequest, answer: ServerResponse, tools: readonly object[]): void {
  const { id } = message
  if (method !== 'POST') return void answer.writeHead(405).end()
  if (id === undefined) return void answer.writeHead(202).end()
  sayJson(answer, { id, result: resultOf(message, tools) })
}

function resultOf({ method, params }: ScriptedRequest['message'], tools: readonly object[]): object {
  if (method === 'tools/list') return { tools }
  return method === 'tools/call' ? { content: [{ type: 'text', text: `ran ${String(params?.['name'])}` }] } : {}
}
