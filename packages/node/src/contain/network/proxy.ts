import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HostFilter, hostFilter, type RefusedHost, type Resolve } from './host-filter.ts'
import { serveClient } from './serve-client.ts'

/** Bounds of one proxy. */
export interface ProxyLimits {
  readonly connections: number
  /** In both directions, of all connections together. */
  readonly bytes: number
  /** Without a byte in either direction. */
  readonly idleMs: number
}

const LIMITS: ProxyLimits = { connections: 128, bytes: 4 * 1024 ** 3, idleMs: 120_000 }
const MOST_REFUSED = 32

/** A filtering proxy for one contained run. */
export interface FilteringProxy {
  /** A Unix socket that speaks HTTP (CONNECT and plain requests) and SOCKS5. */
  readonly socketPath: string
  /** What it refused so far, each host and port once. */
  refused(): readonly RefusedHost[]
  close(): Promise<void>
}

export interface ProxyOptions {
  /** The account that may connect, if it is not this process's own. */
  readonly account?: { readonly uid: number; readonly gid: number } | null
  readonly limits?: Partial<ProxyLimits>
  readonly resolve?: Resolve
}

/** Opens a proxy to the named hosts on a socket in a folder of its own. It sees host and port, not what is sent. */
export async function openProxy(hosts: readonly string[], options: ProxyOptions = {}): Promise<FilteringProxy> {
  const limits = { ...LIMITS, ...options.limits }
  const filter = hostFilter(hosts, options.resolve)
  const refused = new Map<string, RefusedHost>()
  const noting: HostFilter = async (host, port) => {
    const answer = await filter(host, port)
    if (answer.kind === 'refused' && refused.size < MOST_REFUSED)
      refused.set(`${host} ${port}`, { host, port, why: answer.why })
    return answer
  }
  const folder = mkdtempSync(join(tmpdir(), 'countersign-proxy-'))
  const socketPath = join(folder, 'proxy.sock')
  const open = new Set<Socket>()
  let bytes = 0
  const spend = (count: number): boolean => {
    bytes += count
    return bytes <= limits.bytes
  }
  const server = createServer({ allowHalfOpen: true }, (client) => {
    if (open.size >= limits.connections) return client.destroy()
    open.add(client)
    client.once('close', () => open.delete(client))
    return serveClient(client, noting, { idleMs: limits.idleMs, spend })
  })
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socketPath, resolve))
    const { account = null } = options
    if (account !== null) for (const path of [folder, socketPath]) chownSync(path, account.uid, account.gid)
  } catch (error) {
    remove()
    throw error
  }
  server.on('error', () => {}) // a client that could not be accepted; the others go on
  return {
    socketPath,
    refused: () => [...refused.values()],
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const client of open) client.destroy()
      await closed
      remove()
    },
  }
}
