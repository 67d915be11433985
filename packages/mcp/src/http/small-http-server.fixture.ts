/** A small HTTP MCP server for tests, with both protocols: it records its requests. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Rpc {
  readonly id?: unknown
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
}

/** One recorded request. */
export interface SeenRequest {
  readonly method: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
  closedEarly: boolean
}

export interface SmallHttpServer {
  readonly url: string
  readonly seen: readonly SeenRequest[]
  /** Forgets its sessions. */
  restart(): void
  /** Sends an unprompted message on every standing stream. */
  say(message: object): void
  close(): Promise<void>
}

const HEADER = { type: 'string', 'x-mcp-header': 'Region' }
const SCHEMA = { type: 'object', properties: { text: { type: 'string' }, region: HEADER } }
const TOOLS = ['get_note', 'write_note', 'hang', 'big', 'torn', 'refuse'].map((name) => ({ name, inputSchema: SCHEMA }))

/** Starts the server on a free loopback port. */
export async function startSmallHttpServer(): Promise<SmallHttpServer> {
  const seen: SeenRequest[] = []
  const sessions = new Set<string>()
  const standing = new Set<ServerResponse>()
  const torn = new Map<string, object>()
  let count = 0

  function answer(response: ServerResponse, message: object, isStream: boolean, headers: object = {}): void {
    const text = JSON.stringify({ jsonrpc: '2.0', ...message }, null, isStream ? 0 : 1)
    const type = isStream ? 'text/event-stream' : 'application/json'
    response.writeHead(200, { 'content-type': type, ...headers })
    response.end(isStream ? `event: message\ndata: ${text}\n\n` : text)
  }

  function call(id: unknown, params: NonNullable<Rpc['params']>, response: ServerResponse, isStateless: boolean): void {
    const args = (params['arguments'] ?? {}) as { readonly text?: string }
    const text = (words: string): object => ({
      id,
      result: { content: [{ type: 'text', text: words }], ...(isStateless ? { resultType: 'complete' } : {}) },
    })
    switch (params['name']) {
      case 'hang':
        response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n')
        return
      case 'big':
        return void answer(response, text('x'.repeat(3 * 1024 * 1024)), !isStateless)
      case 'torn':
        torn.set('torn-1', text('taken up again'))
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end('id: torn-1\nretry: 10\ndata:\n\n')
        return
      case 'refuse':
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'not like this' } }))
        return
      default:
        return void answer(response, text(`${params['name']} ${args.text}`), !isStateless)
    }
  }

  function take({ id, method, params = {} }: Rpc, request: IncomingMessage, response: ServerResponse): void {
    const meta = (params['_meta'] ?? {}) as { readonly [name: string]: unknown }
    const isStateless = meta['io.modelcontextprotocol/protocolVersion'] !== undefined
    const session = request.headers['mcp-session-id']
    if (method === 'initialize') {
      count += 1
      sessions.add(`s-${count}`)
      const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'small', version: '1' } }
      return void answer(response, { id, result }, true, { 'mcp-session-id': `s-${count}` })
    }
    if (!isStateless && (typeof session !== 'string' || !sessions.has(session)))
      return void response.writeHead(404).end()
    if (id === undefined || method === undefined) return void response.writeHead(202).end()
    if (method === 'tools/list') return void answer(response, { id, result: { tools: TOOLS } }, !isStateless)
    if (method === 'tools/call') return void call(id, params, response, isStateless)
    answer(response, { id, result: { method, params } }, false)
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString('utf8')
    const one: SeenRequest = { method: request.method ?? '', headers: request.headers, body, closedEarly: false }
    seen.push(one)
    response.on('close', () => {
      one.closedEarly = !response.writableFinished
      standing.delete(response)
    })
    if (request.method === 'POST') return take(JSON.parse(body) as Rpc, request, response)
    if (request.method === 'DELETE') return void response.writeHead(200).end()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const missed = torn.get(String(request.headers['last-event-id']))
    if (missed === undefined) {
      standing.add(response)
      response.write(': here\n\n')
    } else response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', ...missed })}\n\n`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    seen,
    restart: () => sessions.clear(),
    say(message) {
      for (const response of standing) response.write(`data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
