import { connect, type Socket } from 'node:net'
import { hostText } from '@countersign/core'
import type { HostFilter } from './host-filter.ts'
import { type Request, readHead, readSocks } from './request-head.ts'

const MOST_HEAD = 16 * 1024
const HEAD_MS = 15_000
const CONNECT_MS = 15_000
const LEAVE_MS = 5_000
const SOCKS = 5

interface Conditions {
  readonly idleMs: number
  /** Counts bytes; false when no more may pass. */
  spend(bytes: number): boolean
}

/** Serves one connection: reads what it asks for, asks the filter, connects, and passes bytes on. */
export function serveClient(client: Socket, filter: HostFilter, conditions: Conditions): void {
  let received: Buffer = Buffer.alloc(0)
  let isGreeted = false
  client.on('error', () => client.destroy())
  client.setTimeout(HEAD_MS, () => client.destroy())
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk])
    if (received[0] === SOCKS) {
      onSocks()
      return
    }
    const end = received.indexOf('\r\n\r\n')
    if (end === -1) {
      if (received.length > MOST_HEAD) client.destroy()
      return
    }
    const request = end > MOST_HEAD ? ({ kind: 'invalid' } as const) : readHead(received.toString('latin1', 0, end))
    begin(request, received.subarray(end + 4), HTTP_REPLIES)
  }
  const onSocks = (): void => {
    if (!isGreeted) {
      const [, methods = 0] = received
      if (received.length < 2 || received.length < 2 + methods) return
      isGreeted = true
      const hasPlain = received.subarray(2, 2 + methods).includes(0)
      received = received.subarray(2 + methods)
      client.write(Buffer.from([SOCKS, hasPlain ? 0 : 255]))
      if (!hasPlain) client.destroySoon()
      if (!hasPlain || received.length === 0) return
    }
    const read = readSocks(received)
    if (read !== null) begin(read.request, received.subarray(read.length), SOCKS_REPLIES)
    else if (received.length > MOST_HEAD) client.destroy()
  }
  const begin = (request: Request, rest: Buffer, replies: Replies): void => {
    client.off('data', onData).off('end', onEnd).removeAllListeners('timeout').setTimeout(0)
    client.pause()
    void answer(client, request, rest, replies, filter, conditions).catch(() => client.destroy())
  }
  const onEnd = (): void => void client.destroy()
  client.on('data', onData).once('end', onEnd)
}

/** Sends a last answer. The client need not close its side. */
function leave(client: Socket, last: Buffer): void {
  client.write(last)
  client.resume()
  client.setTimeout(LEAVE_MS, () => client.destroy())
  client.destroySoon()
}

interface Replies {
  readonly ready: Buffer
  refused(what: string): Buffer
  readonly failed: Buffer
}

function httpReply(status: string, text: string): Buffer {
  const body = `countersign: ${text}\n`
  return Buffer.from(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    'latin1',
  )
}

const HTTP_REPLIES: Replies = {
  ready: Buffer.from('HTTP/1.1 200 Connection established\r\n\r\n'),
  refused: (what) => httpReply('403 Forbidden', `the sandbox refused ${what}`),
  failed: httpReply('502 Bad Gateway', 'the host cannot be reached'),
}

const socksReply = (code: number): Buffer => Buffer.from([SOCKS, code, 0, 1, 0, 0, 0, 0, 0, 0])
const SOCKS_REPLIES: Replies = { ready: socksReply(0), refused: () => socksReply(2), failed: socksReply(4) }

async function answer(
  client: Socket,
  request: Request,
  rest: Buffer,
  replies: Replies,
  filter: HostFilter,
  conditions: Conditions,
): Promise<void> {
  if (request.kind === 'invalid') return leave(client, replies.refused('a request it cannot read'))
  const { host, port } = request
  const allowed = await filter(host, port)
  if (allowed.kind === 'refused') return void client.end(replies.refused(`${hostText(host)}:${port}: ${allowed.why}`))
  const server = await dial(allowed.addresses, port)
  if (server === null || client.destroyed) {
    server?.destroy()
    return leave(client, replies.failed)
  }
  if (request.kind === 'connect') client.write(replies.ready)
  else server.write(request.head, 'latin1')
  if (rest.length > 0) server.write(rest)
  join(client, server, conditions)
}

/** Connects to the first address that answers. */
async function dial(addresses: readonly string[], port: number): Promise<Socket | null> {
  for (const host of addresses) {
    const socket = connect({ host, port, allowHalfOpen: true })
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.setTimeout(CONNECT_MS, () => resolve(false))
      socket.once('error', () => resolve(false)).once('connect', () => resolve(true))
    })
    socket.removeAllListeners('timeout').setTimeout(0)
    if (isOpen) return socket
    socket.destroy()
  }
  return null
}

function join(client: Socket, server: Socket, { idleMs, spend }: Conditions): void {
  const end = (): void => {
    client.destroy()
    server.destroy()
  }
  // Traffic in one direction keeps the other one open.
  const idle = setTimeout(end, idleMs)
  client.once('close', () => clearTimeout(idle))
  for (const socket of [client, server]) {
    socket.on('error', end).on('close', end)
    socket.on('data', (chunk: Buffer) => {
      idle.refresh()
      if (!spend(chunk.length)) end()
    })
  }
  client.pipe(server)
  server.pipe(client)
}
