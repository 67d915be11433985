import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Command, type LinePeer, type Rpc, startPeer } from './line-peer.ts'

/** A stdio server reachable over HTTP, the only transport of the official suites. */
export interface StdioBridge {
  readonly url: string
  /** All messages in each direction, in order. */
  readonly transcript: readonly { readonly from: 'client' | 'server'; readonly message: Rpc }[]
  close(): Promise<void>
}

const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId'
/** Errors that HTTP reports by status (since 2026-07-28). */
const STATUS: ReadonlyMap<number, number> = new Map([
  [-32601, 404],
  [-32602, 400],
  [-32020, 400],
  [-32021, 400],
  [-32022, 400],
])

/** The capabilities of the official suites' clients. */
const CAPABILITIES: readonly object[] = [{}, { sampling: {}, elicitation: {} }]

/** The metadata of every stateless request. */
const STATELESS = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bridge', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** One process, and the waiters for its messages. */
interface Line {
  readonly peer: LinePeer
  /** Pending requests, by the id that the process knows. */
  readonly open: Map<string, Waiting>
  standing: ServerResponse | null
  /** Its response to `initialize`. */
  opened: Rpc | null
}

interface Waiting {
  readonly id: Rpc['id']
  readonly token: unknown
  readonly response: ServerResponse
  readonly stateless: boolean
}

/**
 * Serves a command over HTTP. Sessions of clients with the same capabilities share a process, as do all stateless
 * requests: one process each would take minutes to start, and the scenarios share no state.
 */
export async function openStdioBridge(command: Command): Promise<StdioBridge> {
  const sessions = new Map<string, Line>()
  const transcript: { from: 'client' | 'server'; message: Rpc }[] = []
  const lines = new Map<string, Line>()
  let count = 0

  function lineOf(firstWords: string): Line {
    const line = lines.get(firstWords) ?? openLine()
    lines.set(firstWords, line)
    return line
  }

  function openLine(): Line {
    const line: Line = { peer: startPeer(command), open: new Map(), standing: null, opened: null }
    line.peer.listen((message) => {
      transcript.push({ from: 'server', message })
      fromServer(line, message)
    })
    void line.peer.ended.then(() => {
      for (const { response } of line.open.values()) response.destroy()
    })
    return line
  }

  function toServer(line: Line, message: Rpc): void {
    transcript.push({ from: 'client', message })
    line.peer.send(message)
  }

  function fromServer(line: Line, message: Rpc): void {
    if (message.method === undefined) {
      const waiting = line.open.get(String(message.id))
      if (waiting === undefined) return
      line.open.delete(String(message.id))
      answer(waiting, { ...message, id: waiting.id ?? null })
      return
    }
    const to = streamFor(line, message)
    const subscription = message['params']?._meta?.[SUBSCRIPTION]
    const original = subscription === undefined ? undefined : line.open.get(String(subscription))?.id
    event(to, original === undefined ? message : withSubscription(message, original))
  }

  function streamFor(line: Line, message: Rpc): ServerResponse | null {
    const open = [...line.open.values()]
    const token = message['params']?.progressToken
    if (token !== undefined) return open.find((one) => one.token === token)?.response ?? null
    const subscription = message['params']?._meta?.[SUBSCRIPTION]
    if (subscription !== undefined) return line.open.get(String(subscription))?.response ?? null
    return open.at(-1)?.response ?? line.standing
  }

  async function post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const message = await readBody(request)
    const id = request.headers['mcp-session-id']
    const isStateless = message['params']?._meta?.['io.modelcontextprotocol/protocolVersion'] !== undefined
    const line = isStateless
      ? lineOf('stateless')
      : typeof id === 'string'
        ? sessions.get(id)
        : newSession(message, response)
    if (line === undefined) return void response.writeHead(id === undefined ? 400 : 404).end()
    if (message.method === undefined || message.id === undefined) {
      toServer(line, message)
      return void response.writeHead(202).end()
    }
    if (message.method === 'initialize' && line.opened !== null)
      return answer(
        { id: message.id, token: undefined, response, stateless: false },
        { ...line.opened, id: message.id },
      )
    count += 1
    const mine = `bridge-${count}`
    const token = message['params']?._meta?.progressToken
    line.open.set(mine, { id: message.id, token, response, stateless: isStateless })
    response.on('close', () => {
      if (!line.open.delete(mine) || !isStateless) return
      toServer(line, { method: 'notifications/cancelled', params: { requestId: mine } })
    })
    toServer(line, { ...message, id: mine })
  }

  function newSession(message: Rpc, response: ServerResponse): Line | undefined {
    if (message.method !== 'initialize') return undefined
    const line = lineOf(JSON.stringify(message['params']?.capabilities ?? {}))
    const session = randomUUID()
    sessions.set(session, line)
    response.setHeader('mcp-session-id', session)
    return line
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method === 'POST') return post(request, response)
    const id = String(request.headers['mcp-session-id'])
    const line = sessions.get(id)
    if (line === undefined) return void response.writeHead(404).end()
    if (request.method === 'GET') {
      openStream(response)
      line.standing = response
      return
    }
    sessions.delete(id)
    response.writeHead(200).end()
  }

  /** Starts every process in advance, since the suites wait at most five seconds. */
  async function warm(): Promise<void> {
    await Promise.all([
      ...CAPABILITIES.map(async (capabilities) => {
        const line = lineOf(JSON.stringify(capabilities))
        const clientInfo = { name: 'bridge', version: '1' }
        const params = { protocolVersion: '2025-11-25', capabilities, clientInfo }
        line.opened = await line.peer.ask({ id: 'warm', method: 'initialize', params })
        line.peer.send({ method: 'notifications/initialized' })
      }),
      lineOf('stateless').peer.ask({ id: 'warm', method: 'server/discover', params: { _meta: STATELESS } }),
    ])
    transcript.length = 0
  }

  const http = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  await warm()
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    transcript,
    async close() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await Promise.all([...lines.values()].map(({ peer }) => peer.end()))
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Rpc> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Rpc
}

function withSubscription(message: Rpc, id: Rpc['id']): Rpc {
  const params = message['params']
  return { ...message, params: { ...params, _meta: { ...params._meta, [SUBSCRIPTION]: id } } }
}

function openStream(response: ServerResponse): void {
  if (!response.headersSent)
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.flushHeaders()
}

function event(to: ServerResponse | null, message: Rpc): void {
  if (to === null) return
  openStream(to)
  to.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`)
}

function answer({ response, stateless }: Waiting, message: Rpc): void {
  if (response.headersSent) {
    event(response, message)
    return void response.end()
  }
  const status = stateless ? (STATUS.get(message['error']?.code) ?? 200) : 200
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(message))
}
