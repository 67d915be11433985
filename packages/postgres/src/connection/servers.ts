import { safeText } from '@countersign/core'

/** One server of a store: a machine and its port, or the folder of a Unix socket. */
export interface StoreServer {
  readonly host: string
  readonly port: number
}

const PORT = 5432
/** INVARIANT: L10. They are tried one after another, within the time for one. */
const MOST = 5
const NAMED = /^(?<host>\[[0-9a-f:.]+\]|[^:\][]+)(?::(?<port>[0-9]{1,5}))?$/i

/** Reads `db1.example:6432,db2.example`, or undefined if that can’t be servers. */
export function readServers(text: string): readonly StoreServer[] | undefined {
  const servers: StoreServer[] = []
  for (const part of text.split(',')) {
    const { host, port } = NAMED.exec(part)?.groups ?? {}
    const number = port === undefined ? PORT : Number(port)
    if (host === undefined || number < 1 || number > 65_535) return undefined
    servers.push({ host: host.replace(/^\[|\]$/g, ''), port: number })
  }
  return servers.length > MOST ? undefined : servers
}

/** Folders of sockets, separated by commas, or one host as libpq takes it. */
export function serversAt(hosts: string, port: number): readonly StoreServer[] | undefined {
  const servers = hosts.split(',').map((host) => ({ host, port }))
  return servers.length > MOST || servers.some(({ host }) => host === '') ? undefined : servers
}

/** Whether a server is on this machine: its connections need no TLS. */
export function isLocal({ host }: StoreServer): boolean {
  return isSocket({ host }) || ['localhost', '127.0.0.1', '::1'].includes(host)
}

export function isSocket({ host }: Pick<StoreServer, 'host'>): boolean {
  return host.startsWith('/')
}

/** For messages. */
export function shownServer({ host, port }: StoreServer): string {
  const name = host.includes(':') ? `[${host}]` : host
  return safeText(isSocket({ host }) ? host : `${name}:${port}`)
}
