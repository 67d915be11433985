import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { CountersignError, type ErrorCode, readTraceparent, safeText } from '@countersign/core'
import { MAX_LINE_BYTES } from '@countersign/node'
import { type AskingHost, serveAsker } from './connection.ts'
import { PageStream } from './page-stream.ts'

/** The listener for askers in web pages. */
export interface PageListener {
  readonly port: number
  connections(): number
  close(): Promise<void>
}

interface Channel {
  readonly origin: string
  readonly stream: PageStream
  /** Posts that wait for the service to read them. */
  posts: number
}

/** INVARIANT: L10. A browser opens six connections to a host; one of them is the channel. */
const MAX_CONNECTIONS = 500
const MAX_POSTS = 8
const MAX_HELLO = 16 * 1024
const CHANNEL = 'countersign-channel'

/**
 * Serves the asking side to pages of the named `origins`, on loopback. SECURITY: L8, nothing here can decide; A17, a page
 * that had its name rebound to this machine has another Host, any other page has another Origin, and JSON with a header
 * of ours takes a preflight. `host` checks the token. No cookie counts, and no other origin can read an answer.
 */
export async function listenPageAskers(
  port: number,
  origins: ReadonlySet<string>,
  host: AskingHost,
  newId: () => string,
): Promise<PageListener> {
  const channels = new Map<string, Channel>()
  const served = new Set<Promise<void>>()
  let hosts: ReadonlySet<string> = new Set()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const origin = admitted(request)
    response.setHeader('access-control-allow-origin', origin).setHeader('vary', 'Origin')
    if (request.method === 'OPTIONS') return preflight(request, response)
    if (request.method !== 'POST') throw refused(405, 'only POST is supported')
    if (request.headers['content-type'] !== 'application/json') throw refused(415, 'only JSON is accepted')
    if (request.url === '/v1/channel') return openChannel(origin, await readBody(request, MAX_HELLO), response)
    if (request.url !== '/v1/lines') throw refused(404, 'use /v1/channel and /v1/lines')
    await takeLines(origin, request)
    response.writeHead(204).end()
  }

  /** The origin of a request that may go on. */
  function admitted({ headers }: IncomingMessage): string {
    const { host: name, origin } = headers
    if (name === undefined || !hosts.has(name.toLowerCase())) throw refused(421, 'this host name is not accepted')
    if (origin !== undefined && origins.has(origin)) return origin
    host.report(`a page of \`${safeText((origin ?? 'no origin').slice(0, 200))}\` tried to ask, and is not allowed`)
    throw refused(403, 'pages of this origin may not ask; allow it with `serve --page-origin`')
  }

  function openChannel(origin: string, hello: Buffer, response: ServerResponse): void {
    const id = newId()
    const stream = new PageStream(response)
    response.writeHead(200, { 'content-type': 'application/x-ndjson' })
    response.write(`${JSON.stringify({ channel: id })}\n`)
    channels.set(id, { origin, stream, posts: 0 })
    const serving = serveAsker(stream, host)
      .catch(() => {})
      .finally(() => {
        channels.delete(id)
        served.delete(serving)
      })
    served.add(serving)
    void stream.post(Buffer.concat([hello, NEWLINE]))
  }

  async function takeLines(origin: string, request: IncomingMessage): Promise<void> {
    const channel = channels.get(String(request.headers[CHANNEL]))
    if (channel === undefined || channel.origin !== origin) throw refused(404, 'the channel is closed; open a new one')
    if (channel.posts >= MAX_POSTS) throw refused(429, 'too many requests at once; wait for answers', 'CS_QUEUE_FULL')
    channel.posts += 1
    try {
      const line = withTrace(await readBody(request, MAX_LINE_BYTES), request.headers['traceparent'])
      await channel.stream.post(Buffer.concat([line, NEWLINE]))
    } finally {
      channel.posts -= 1
    }
  }

  const server = createServer(
    { headersTimeout: 10_000, requestTimeout: 30_000, maxHeaderSize: 16_384, requireHostHeader: true, noDelay: true },
    (request, response) => {
      response.setHeader('cache-control', 'no-store').setHeader('x-content-type-options', 'nosniff')
      answer(request, response).catch((error: unknown) => refuse(error, response))
    },
  )
  server.maxConnections = MAX_CONNECTIONS
  const taken = await listen(server, port)
  hosts = new Set([`127.0.0.1:${taken}`, `localhost:${taken}`])
  return {
    port: taken,
    connections: () => channels.size,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const { stream } of channels.values()) stream.destroy()
      server.closeAllConnections()
      await Promise.all([closed, ...served])
    },
  }
}

const NEWLINE = Buffer.from('\n')

function preflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('access-control-allow-methods', 'POST')
  response.setHeader('access-control-allow-headers', `content-type, traceparent, ${CHANNEL}`)
  // Chrome asks before a page of the internet reaches this machine.
  if (headers['access-control-request-private-network'] === 'true')
    response.setHeader('access-control-allow-private-network', 'true')
  response.writeHead(204).end()
}

/** A line with the trace of its request's `traceparent` header in front, as text: what the page wrote stays as it is. */
function withTrace(body: Buffer, header: string | string[] | undefined): Buffer {
  const traceparent = readTraceparent(header)
  if (traceparent === undefined || body[0] !== OPENING) return body
  const line = Buffer.concat([Buffer.from(`{"traceparent":"${traceparent}",`), body.subarray(1)])
  return line.length > MAX_LINE_BYTES ? body : line
}

const OPENING = '{'.charCodeAt(0)

/** INVARIANT: L10, a longer body is not read. */
async function readBody(request: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > most) throw refused(413, 'the call is larger than 1 MiB', 'CS_CALL_TOO_LARGE')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

class Refused extends CountersignError {
  readonly status: number
  constructor(status: number, code: ErrorCode, message: string) {
    super(code, message)
    this.status = status
  }
}

function refused(status: number, message: string, code: ErrorCode = 'CS_PROTOCOL'): Refused {
  return new Refused(status, code, message)
}

function refuse(error: unknown, response: ServerResponse): void {
  if (response.headersSent || !(error instanceof Refused)) return void response.destroy()
  const { status, code, message } = error
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ error: { code, message } }))
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new CountersignError('CS_SERVICE', `cannot listen for pages (${cause.message})`, { cause })),
    )
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
