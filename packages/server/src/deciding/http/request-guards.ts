import { extname } from 'node:path'
import type { ErrorCode } from '@countersign/core'
import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** What the deciding side may be reached as. */
export interface Origins {
  /** `127.0.0.1:4180`, `localhost:4180`, and the host of `--public-url`. */
  readonly hosts: ReadonlySet<string>
  /** The same as origins, scheme and all. */
  readonly origins: ReadonlySet<string>
}

/** A body larger than this is refused before it is read. */
export const MAX_BODY = 1024 * 1024

/** The hosts and origins of a port, and of the person's own proxy. */
export function originsOf(port: number, publicUrl?: URL): Origins {
  const local = ['127.0.0.1', 'localhost', '[::1]'].map((name) => new URL(`http://${name}:${port}`))
  const urls = publicUrl === undefined ? local : [...local, publicUrl]
  return {
    hosts: new Set(urls.flatMap((url) => [url.host, `${url.hostname}:${portOf(url)}`])),
    origins: new Set(urls.map(({ origin }) => origin)),
  }
}

/** The port of an address; browsers leave out the usual one of its scheme. */
function portOf({ port, protocol }: URL): string {
  return port === '' ? (protocol === 'https:' ? '443' : '80') : port
}

/**
 * Stands before every route. SECURITY: A17, a page that had its name rebound to this machine has another Host; a form or
 * a script of another page has another Origin, or none that a browser would leave out on a write.
 */
export function guard({ hosts, origins }: Origins): MiddlewareHandler {
  return async (c, next) => {
    const host = c.req.header('host')?.toLowerCase()
    if (host === undefined || !hosts.has(host) || !hosts.has(new URL(c.req.url).host))
      return refuse(c, 421, 'the inbox does not accept this host name')
    const site = c.req.header('sec-fetch-site')
    const origin = c.req.header('origin')
    if (origin !== undefined && !origins.has(origin)) return refuse(c, 403, 'requests from other origins are refused')
    const { method } = c.req
    if (method !== 'GET' && method !== 'HEAD') {
      if (origin === undefined) return refuse(c, 403, 'a write needs an `Origin` header')
      if (site !== undefined && site !== 'same-origin') return refuse(c, 403, 'requests from other sites are refused')
      const type = c.req.header('content-type')?.split(';', 1)[0]?.trim().toLowerCase()
      const isBare = method === 'DELETE' && type === undefined
      if (type !== 'application/json' && !isBare) return refuse(c, 415, 'only JSON is accepted')
    } else if (site !== undefined && site !== 'same-origin' && site !== 'none' && c.req.path.startsWith('/api/')) {
      return refuse(c, 403, 'requests from other sites are refused')
    }
    return next()
  }
}

/** Pages that show nothing to decide. */
const HARMLESS = new Set(['/', '/sign-in'])

/**
 * Opens the list instead of the page that another site links to. SECURITY: A5 a page that can open a call here could place
 * it under a press meant for itself. Another port of this machine is another site too. The list offers the link.
 */
export function listForOtherSites({ origins }: Origins): MiddlewareHandler {
  return async (c, next) => {
    const { path } = c.req
    if (c.req.method !== 'GET' || HARMLESS.has(path) || extname(path) !== '' || path.startsWith('/api/')) return next()
    if (!isFromElsewhere(c, origins)) return next()
    return c.redirect(`/?linked=${encodeURIComponent(path)}`, 303)
  }
}

function isFromElsewhere(c: Context, origins: ReadonlySet<string>): boolean {
  const site = c.req.header('sec-fetch-site')
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  const referrer = c.req.header('referer')
  return referrer !== undefined && !(URL.canParse(referrer) && origins.has(new URL(referrer).origin))
}

/**
 * INVARIANT: L10, what is too large is refused by its length, or once it has come to be. A length is kept to by Node's
 * parser, so a body that has one is not counted again: looking at it here would turn it into a stream for nothing.
 */
export const limitBody: MiddlewareHandler = (c, next) => {
  if (c.req.header('transfer-encoding') !== undefined) return countBody(c, next)
  return Number(c.req.header('content-length') ?? 0) > MAX_BODY ? Promise.resolve(tooLarge(c)) : next()
}

const countBody = bodyLimit({ maxSize: MAX_BODY, onError: tooLarge })

function tooLarge(c: Context): Response {
  c.header('Connection', 'close')
  return problem(c, 413, 'CS_CALL_TOO_LARGE', 'the body is larger than 1 MiB and was not read')
}

function refuse(c: Context, status: ContentfulStatusCode, what: string): Response {
  return problem(c, status, 'CS_PROTOCOL', `${what}; open the inbox at the URL that \`countersign status\` shows`)
}

/** An error as every route answers it. */
export function problem(c: Context, status: ContentfulStatusCode, code: ErrorCode, message: string): Response {
  return c.json({ error: { code, message } }, status)
}
