import { chmodSync, lchownSync, lstatSync, unlinkSync } from 'node:fs'
import { createConnection, createServer, type Server, type Socket } from 'node:net'
import { CountersignError } from '@countersign/core'

/** Connections at once. INVARIANT: L10. */
const MAX_CONNECTIONS = 1_000
/** The system's limit for the path of a socket. */
const MAX_PATH_BYTES = 103

/** Who may open a Unix socket: only its owner, or a group too. */
export interface SocketAccess {
  readonly group?: number
}

/** A listener with its connections. */
export interface Listener {
  readonly server: Server
  readonly connections: () => number
  /** Stops listening, closes every connection, and waits until each has ended. */
  close(): Promise<void>
}

/** Listens on a Unix socket. Only the permitted users can open it, from the first moment. */
export async function listenSocket(
  path: string,
  serve: (socket: Socket) => Promise<void>,
  { group }: SocketAccess = {},
): Promise<Listener> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES)
    throw new CountersignError('CS_SERVICE', `the socket’s path \`${path}\` is too long; use a shorter \`--home\``)
  await removeStale(path)
  const before = process.umask(0o177)
  const listening = listen(serve, (server) => server.listen(path))
  process.umask(before)
  const listener = await listening
  try {
    if (group !== undefined) share(path, group)
  } catch (error) {
    await listener.close() // do not leave half a service running
    throw error
  }
  return listener
}

/** SECURITY: A3 opened to the group only once it is that group's, and never through a link that was put in its place. */
function share(path: string, group: number): void {
  try {
    lchownSync(path, -1, group)
    if (!lstatSync(path).isSocket()) throw new Error('it was replaced by something else')
    chmodSync(path, 0o660)
  } catch (cause) {
    throw new CountersignError(
      'CS_USAGE',
      `the socket \`${path}\` cannot be given to group ${group}; start the service as a user who is in it`,
      { cause },
    )
  }
}

/** Listens on loopback TCP. */
export function listenLoopback(port: number, serve: (socket: Socket) => Promise<void>): Promise<Listener> {
  return listen(serve, (server) => server.listen(port, '127.0.0.1'))
}

async function listen(serve: (socket: Socket) => Promise<void>, begin: (server: Server) => void): Promise<Listener> {
  const open = new Map<Socket, Promise<void>>()
  const server = createServer({ noDelay: true }, (socket) => {
    const served = serve(socket)
      .catch(() => {})
      .finally(() => open.delete(socket))
    open.set(socket, served)
  })
  server.maxConnections = MAX_CONNECTIONS
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) =>
      reject(new CountersignError('CS_SERVICE', `cannot listen (${String(cause.message)})`, { cause })),
    )
    server.once('listening', resolve)
    begin(server)
  })
  return {
    server,
    connections: () => open.size,
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      const served = [...open.values()]
      for (const socket of open.keys()) socket.destroy()
      await Promise.all([closed, ...served])
    },
  }
}

/** Removes the socket file of a dead service; throws when a service answers on it. */
async function removeStale(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket())
    throw new CountersignError(
      'CS_SERVICE',
      `\`${path}\` is not a socket; move it away or choose another with \`--socket\``,
    )
  const answered = await new Promise<boolean>((resolve) => {
    const socket = createConnection(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
  if (answered) throw new CountersignError('CS_SERVICE', `another service answers on \`${path}\`; name another socket`)
  unlinkSync(path)
}
