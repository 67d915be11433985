import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CountersignError, safeText } from '@countersign/core'
import { RPC } from '../../wire/message-writer.ts'
import { headersUp, oddBody } from '../messages/forwarded-headers.ts'
import { readBody, STREAM_TYPE } from '../messages/read-body.ts'
import { type Upstream, unreachable } from '../upstream/upstream.ts'
import { createHostCheck } from './allowed-hosts.ts'
import { type ClientSeat, CrowdedError, createHttpClients } from './clients.ts'
import { createStillHere } from './keep-alive.ts'
import { refuseLong } from './oversized-body.ts'
import { answerServer, type PostContext, takePost } from './post-request.ts'
import { createReply, type Reply } from './reply.ts'
import { passDown } from './response-relay.ts'

/** A proxy over HTTP in front of a server over HTTP. */
export interface ListenOptions {
  readonly upstream: Upstream
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** Names by which clients may call it, besides its own: `gate.example`, `gate.example:8443`. */
  readonly allowedHosts?: readonly string[]
  /** The largest body that is taken, from either side. */
  readonly maxBytes: number
  /** A gatekeeper for each client. */
  openSeat(): Promise<ClientSeat>
}

/** A proxy that listens. */
export interface Listening {
  /** Where clients find the server now. */
  readonly url: string
  /** Ends it: what is held is withdrawn, connections are closed. */
  close(): Promise<void>
}

/** Listens for clients over HTTP, and passes what they may say to the server. */
export async function startListening(options: ListenOptions): Promise<Listening> {
  const { upstream, host } = options
  const clients = createHttpClients(options.openSeat, upstream.owns)
  const path = upstream.url.pathname
  const context: PostContext = { upstream, clients, maxBytes: options.maxBytes, stillHere: createStillHere() }
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
    const odd = oddBody(request)
    if (odd !== null) return reply.fail(415, null, RPC.request, odd)
    const isTooLong = Number(request.headers['content-length'] ?? 0) > options.maxBytes
    const body = isTooLong ? 'too-large' : await readBody(request, options.maxBytes)
    if (body === 'too-large') return refuseLong(request, reply.response, options.maxBytes)
    if (body === 'broken') return void reply.response.destroy()
    await takePost(request, body, reply, context)
  }

  /** What is no message: a stream of an older session, or its end. */
  async function pass(request: IncomingMessage, reply: Reply, method: 'GET' | 'DELETE'): Promise<void> {
    const client = await clients.of(request)
    const headers = headersUp(request)
    const gone = new AbortController()
    reply.onGone(() => gone.abort())
    client.standing += 1
    try {
      const answer = await upstream.open(method, headers, null, gone.signal)
      const { statusCode = 502 } = answer
      await passDown(answer, {
        client,
        reply,
        request: null,
        maxBytes: options.maxBytes,
        whyRefused: upstream.whyRefused(answer),
        answerServer: (bytes) => answerServer(bytes, headers, upstream),
      })
      // A server may have no route for streams (404): only what is told to a message says that the session is over.
      if (method === 'DELETE' && (statusCode < 300 || statusCode === 404) && client.isSession) clients.forget(client)
    } catch (error) {
      reply.fail(502, null, RPC.lost, unreachable(error))
    } finally {
      client.standing -= 1
    }
  }

  const server = createServer({ keepAliveTimeout: 65_000, noDelay: true }, (request, response) => {
    response.on('error', ignore)
    serve(request, response)?.catch((error: unknown) => {
      if (error instanceof CrowdedError) createReply(response, false).fail(503, null, RPC.lost, error.message)
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
          `cannot listen on \`${safeText(host)}:${port}\` (${error.code ?? 'unknown'}); name another port`,
        ),
      ),
    )
    server.listen(port, host.replace(/^\[|\]$/g, ''), () => resolve((server.address() as AddressInfo).port))
  })
}

/** Who went away is told to the reply. */
function ignore(): void {}
