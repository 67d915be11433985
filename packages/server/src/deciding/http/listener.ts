import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { CountersignError } from '@countersign/core'
import { createAdaptorServer, type HttpBindings } from '@hono/node-server'
import { secureAnswer } from './security-headers.ts'

/** Connections at once. INVARIANT: L10. */
const MAX_CONNECTIONS = 2_000
const STALLED_MS = 120_000
const HEADERS_MS = 10_000
/** A request's headers and body must be there by then; an answer may go on for ever, as the stream does. */
const REQUEST_MS = 30_000
/** How often those that are late are looked for. */
const LOOK_MS = 1_000

/** The deciding side's listeners on loopback, and their port. */
export interface HttpListener {
  readonly port: number
  close(): Promise<void>
}

type Fetch = (request: Request, env: HttpBindings) => Response | Promise<Response>

/**
 * Listens on 127.0.0.1 and, where there is one, on ::1: SECURITY: A17, nobody else may answer for `localhost` on our
 * port, and nobody reaches us from another machine. `fetchFor` gets the port that was taken.
 */
export async function listenHttp(
  port: number,
  fetchFor: (port: number) => Fetch,
  most: number = MAX_CONNECTIONS,
): Promise<HttpListener> {
  let fetch: Fetch = () => new Response(null, { status: 503 })
  const serve: Fetch = (request, env) => fetch(request, env)
  const first = await open(port, '127.0.0.1', serve, most)
  const taken = portOf(first)
  const second = await open(taken, '::1', serve, most).catch((error: unknown) => {
    if (!isInUse(error)) return undefined // a machine without IPv6
    first.close()
    throw error
  })
  fetch = fetchFor(taken)
  const servers = second === undefined ? [first] : [first, second]
  return {
    port: taken,
    async close() {
      await Promise.all(servers.map(shut))
    },
  }
}

function open(port: number, host: string, fetch: Fetch, most: number): Promise<Server> {
  const server = createAdaptorServer({
    fetch: (request, env) => fetch(request, env as HttpBindings),
    serverOptions: {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: LOOK_MS,
      maxHeaderSize: 16_384,
      requireHostHeader: true,
      noDelay: true,
    },
  }) as Server
  keepRoom(server, most)
  // Streams send a heartbeat every few seconds: a connection that is idle for this long has no reader.
  server.setTimeout(STALLED_MS)
  server.prependListener('request', secureAnswer)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    // As many may knock at once as may come in: whom the system turns away tries again seconds later.
    server.listen({ port, host, backlog: MAX_CONNECTIONS }, () => resolve(server))
  })
}

/**
 * When there is little room left, the eldest connection that has nothing to answer goes. SECURITY: A31 anybody on this
 * machine can open idle connections, which must not keep real requests out.
 */
function keepRoom(server: Server, most: number): void {
  server.maxConnections = most
  // Some room stays: a connection that goes is gone only in the loop's next round, and who comes before is turned away.
  const full = most - Math.ceil(most / 10)
  const open = new Set<Socket>()
  const silent = new Set<Socket>()
  const forget = (socket: Socket): void => {
    open.delete(socket)
    silent.delete(socket)
  }
  server.on('connection', (socket: Socket) => {
    const [eldest] = open.size >= full ? silent : []
    if (eldest !== undefined) {
      forget(eldest)
      eldest.destroy()
    }
    open.add(socket)
    silent.add(socket)
    socket.once('close', () => forget(socket))
  })
  const answering = new WeakMap<Socket, number>()
  server.on('request', ({ socket }, answer) => {
    silent.delete(socket)
    answering.set(socket, (answering.get(socket) ?? 0) + 1)
    answer.once('close', () => {
      const left = (answering.get(socket) ?? 1) - 1
      answering.set(socket, left)
      if (left === 0 && open.has(socket)) silent.add(socket)
    })
  })
}

function shut(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

function portOf(server: Server): number {
  const address = server.address()
  if (address !== null && typeof address === 'object') return address.port
  throw new CountersignError('CS_INTERNAL', 'the inbox has no port; please report this')
}

/** Whether somebody else has the port. */
export function isInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
}
