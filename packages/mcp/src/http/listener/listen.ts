import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CountersignError, safeText } from '@countersign/core'
import { errorResponse, RPC } from '../../wire/message-writer.ts'
import { requestHeaders, unsupportedBody } from '../messages/forwarded-headers.ts'
import { readBody, STREAM_TYPE } from '../messages/read-body.ts'
import { type Upstream, unreachableReason } from '../upstream/upstream.ts'
import { createHostCheck } from './allowed-hosts.ts'
import { type ClientContext, createHttpClients, TooManyClientsError } from './clients.ts'
import { answerServer, type PostContext, takePost } from './post-request.ts'
import { createKeepAlive, createReply, type Reply } from './reply.ts'
import { relayResponse } from './response-relay.ts'

/** An HTTP proxy in front of an HTTP server. */
export interface ListenOptions {
  readonly upstream: Upstream
  readonly host: string
  /** 0 picks a free port. */
  readonly port: number
  /** Further host names that clients may use: `gate.example`, `gate.example:8443`. */
  readonly allowedHosts?: readonly string[]
  /** The largest body from either side. */
  readonly maxBytes: number
  /** Opens the context of a new client. */
  openClient(): Promise<ClientContext>
}

/** A listening proxy. */
export interface Listening {
  /** The URL for clients. */
  readonly url: string
  /** Stops it: held calls are withdrawn, connections closed. */
  close(): Promise<void>
}

/** Listens for HTTP clients, and forwards what they may send to the server. */
export async function startListening(options: ListenOptions): Promise<Listening> {
  const { upstream, host } = options
  const clients = createHttpClients(options.openClient, upstream.owns)
  const path = upstream.url.pathname
  const context: PostContext = { upstream, clients, maxBytes: options.maxBytes, keepAlive: createKeepAlive() }
  let refusal: ReturnType<typeof createHostCheck> = () => 'not ready'

  function serve(request: IncomingMessage, response: ServerResponse): Promise<void> | void {
    const reply = createReply(response, (request.headers.accept ?? '').includes(STREAM_TYPE))
    const refused = refusal(request)
    if (refused !== null) return reply.fail(403, null, RPC.request, refused)
    if (request.url !== path && (request.url ?? '').split('?', 1)[0] !== path)
      return reply.fail(404, null, RPC.request, `the server is at \`${path}\``)
    switch (request.method) {
      case 'POST':
        return post(request, reply)
      case 'GET':
      case 'DELETE':
        return pass(request, reply, request.method)
      default:
        return reply.finish(405, null, ['allow', 'GET, POST, DELETE'])
    }
  }

  async function post(request: IncomingMessage, reply: Reply): Promise<void> {
    const odd = unsupportedBody(request)
    if (odd !== null) return reply.fail(415, null, RPC.request, odd)
    const isTooLong = Number(request.headers['content-length'] ?? 0) > options.maxBytes
    const body = isTooLong ? 'too-large' : await readBody(request, options.maxBytes)
    if (body === 'too-large') return refuseOversized(request, reply.response, options.maxBytes)
    if (body === 'broken') return void reply.response.destroy()
    await takePost(request, body, reply, context)
  }

  /** Forwards a GET (a session’s stream) or DELETE (its end). */
  async function pass(request: IncomingMessage, reply: Reply, method: 'GET' | 'DELETE'): Promise<void> {
    const client = await clients.of(request)
    const headers = requestHeaders(request)
    const gone = new AbortController()
    reply.onGone(() => gone.abort())
    client.openStreams += 1
    try {
      const answer = await upstream.open(method, headers, null, gone.signal)
      const { statusCode = 502 } = answer
      await relayResponse(answer, {
        client,
        reply,
        request: null,
        maxBytes: options.maxBytes,
        whyRefused: upstream.whyRefused(answer),
        answerServer: (bytes) => answerServer(bytes, headers, upstream),
      })
      // A server may have no route for streams (404): only the response to a message tells that the session ended.
      if (method === 'DELETE' && (statusCode < 300 || statusCode === 404) && client.isSession) clients.forget(client)
    } catch (error) {
      reply.fail(502, null, RPC.lost, unreachableReason(error))
    } finally {
      client.openStreams -= 1
    }
  }

  const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (request, response) => {
    response.on('error', ignore)
    serve(request, response)?.catch((error: unknown) => {
      if (error instanceof TooManyClientsError) createReply(response, false).fail(503, null, RPC.lost, error.message)
      else response.destroy()
    })
  })
  const port = await listen(server, host, options.port)
  refusal = createHostCheck(host, port, options.allowedHosts)
  const shown = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return {
    url: `http://${shown}:${port}${path}`,
    async close() {
      server.close()
      await clients.closeAll()
      server.closeAllConnections()
      upstream.close()
    },
  }
}

function listen(server: ReturnType<typeof createServer>, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new CountersignError(
          'CS_USAGE',
          `cannot listen on \`${safeText(host)}:${port}\` (${error.code ?? 'unknown'}); use another port`,
        ),
      ),
    )
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => resolve((server.address() as AddressInfo).port))
  })
}

/** The reply handles disconnects. */
function ignore(): void {}

/** How long the sender may continue after the refusal. */
const TIMEOUT_MS = 5_000

/**
 * Refuses a body that is too large. The sender may read the response only after sending everything, and closing the
 * connection would lose it; so the rest is read and discarded, up to a limit.
 */
function refuseOversized(request: IncomingMessage, response: ServerResponse, maxBytes: number): void {
  const body = errorResponse(null, RPC.request, 'the message is too large')
  const headers = { 'content-type': 'application/json', 'content-length': body.length, connection: 'close' }
  response.writeHead(413, headers).write(body)
  let size = 0
  const end = (): void => {
    clearTimeout(timer)
    response.end() // closes the connection once the response is sent
  }
  const timer = setTimeout(end, TIMEOUT_MS)
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) end()
  })
  request.once('end', end)
  request.once('close', end)
  request.resume()
}
