import type { IncomingMessage } from 'node:http'

/**
 * Why a request may not be answered; null when it may. SECURITY: A1 a page that had its name rebound to this machine has
 * another Host, and a script of another page another Origin: neither may call tools here.
 */
export type HostCheck = (request: IncomingMessage) => string | null

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Whether an address is this machine and no other. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/** The check for a proxy at this address. Off loopback only that very address will do. */
export function createHostCheck(host: string, port: number): HostCheck {
  const own = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  const names = isLoopback(host) ? new Set([own, ...LOOPBACK]) : new Set([own])
  const hosts = new Set([...names].map((name) => `${name}:${port}`))
  const origins = new Set([...hosts].map((name) => `http://${name}`))
  return ({ headers }) => {
    if (headers.host === undefined || !hosts.has(headers.host.toLowerCase())) return 'this is not a name of the proxy'
    const { origin } = headers
    return origin === undefined || origins.has(origin.toLowerCase())
      ? null
      : 'a page of another origin may not ask here'
  }
}
