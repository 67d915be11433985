import type { IncomingMessage } from 'node:http'
import { hostKind, isThisMachine } from '@countersign/core'

/**
 * Why a request is refused; null when it is allowed. SECURITY: A1 after DNS rebinding a page has another Host, and a
 * foreign page’s script another Origin: neither may call tools here.
 */
export type HostCheck = (request: IncomingMessage) => string | null

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]'])

/** Whether a host is this machine and nothing else: `0.0.0.0` is every network it is in. */
export function isLoopback(host: string): boolean {
  return isThisMachine(host) && hostKind(host) === 'loopback'
}

/**
 * The check for a proxy on this host. Off loopback only this very host is accepted, and the allowed names, with or
 * without a port.
 */
export function createHostCheck(host: string, port: number, allowed: readonly string[] = []): HostCheck {
  const own = bracketed(host)
  const names = isLoopback(host) ? new Set([own, ...LOOPBACK]) : new Set([own])
  const others = allowed.map((name) => name.toLowerCase())
  const hosts = new Set([...names, ...others].map((name) => `${name}:${port}`).concat(others))
  const origins = new Set([...hosts].map((name) => `http://${name}`).concat(others.map((name) => `https://${name}`)))
  const isEverywhere = EVERYWHERE.has(host)
  return ({ headers, socket }) => {
    const said = headers.host?.toLowerCase()
    const origin = headers.origin?.toLowerCase()
    const isOwn = isEverywhere && said === `${addressOf(socket.localAddress)}:${port}`
    if (!isOwn && (said === undefined || !hosts.has(said))) return NOT_OURS
    if (origin === undefined) return isForeignPage(headers['sec-fetch-site']) ? OTHER_PAGE : null
    if (origins.has(origin) || (isOwn && origin === `http://${said}`)) return null
    return OTHER_PAGE
  }
}

/** Requests without an Origin, such as images, still carry `Sec-Fetch-Site`. */
function isForeignPage(site: string | string[] | undefined): boolean {
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

const OTHER_PAGE = 'requests from pages of another origin are refused'

const NOT_OURS = 'unknown host name; allow it with `--allow-host`'

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/** The local address of a connection, which a rebound name cannot equal. */
function addressOf(local: string | undefined): string {
  return bracketed((local ?? '').replace(/^::ffff:/, ''))
}
