import type { IncomingMessage } from 'node:http'

/**
 * Why a request may not be answered; null when it may. SECURITY: A1 a page that had its name rebound to this machine has
 * another Host, and a script of another page another Origin: neither may call tools here.
 */
export type HostCheck = (request: IncomingMessage) => string | null

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
const EVERYWHERE: ReadonlySet<string> = new Set(['0.0.0.0', '::', '[::]'])

/** Whether an address is this machine and no other. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(host)
}

/**
 * The check for a proxy at this address. Off loopback only that very address will do, and the names that were allowed: those
 * stand alone, since what is before the proxy has a port of its own, or with a port.
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
    if (origin === undefined) return isStrangePage(headers['sec-fetch-site']) ? OTHER_PAGE : null
    if (origins.has(origin) || (isOwn && origin === `http://${said}`)) return null
    return OTHER_PAGE
  }
}

/** What a page only fetches, as a picture say, comes without an Origin; browsers say all the same whose page it was. */
function isStrangePage(site: string | string[] | undefined): boolean {
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

const OTHER_PAGE = 'a page of another origin may not ask here'

const NOT_OURS = 'this is not a name of the proxy; allow it with `--allow-host`'

function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}

/** Where a connection came in. Nobody can have another name point to it and say the number. */
function addressOf(local: string | undefined): string {
  return bracketed((local ?? '').replace(/^::ffff:/, ''))
}
