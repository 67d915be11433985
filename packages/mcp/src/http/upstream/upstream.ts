import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { CountersignError, safeText } from '@countersign/core'
import { filterHeaders, type HeaderList, headerOf, someHeader } from '../messages/raw-headers.ts'
import { discardBody } from '../messages/read-body.ts'
import type { Bearer } from './authorized-request.ts'
import { sendAuthorized } from './authorized-request.ts'
import { KeepAliveAgent } from './connection-pool.ts'

/** An HTTP server. */
export interface Upstream {
  readonly url: URL
  /** Whether the proxy sets this header with every request. */
  owns(header: string): boolean
  /**
   * Sends one request and returns the head of its response; `to` is another URL of the same origin. The caller may
   * leave, which cancels both. Redirects within the origin are followed.  SECURITY: A9 a redirect for one credential
   * does not apply to others.
   */
  open(
    method: string,
    headers: HeaderList,
    body: Buffer | null,
    waiting?: CancelHandle | AbortSignal,
    to?: URL,
  ): Promise<IncomingMessage>
  /** Ends a session: only if possible without waiting, and only until the head of the response. */
  closeSession(method: string, headers: HeaderList, signal: AbortSignal): Promise<void>
  /** Advice for a refusal that a sign-in would fix; null otherwise. */
  whyRefused(answer: IncomingMessage): string | null
  close(): void
}

/** Lets the caller of one request leave. Like an `AbortSignal`, but cheaper. */
export interface CancelHandle {
  leave: () => void
}

/** Headers of every request, mostly credentials. */
export type OwnHeaders = { readonly [name: string]: string }

const MAX_REDIRECTS = 3

/**
 * Opens a connection pool to an HTTP server. The bearer token is added when neither the proxy nor the client sets an
 * `Authorization`; like those, it never leaves the server’s origin.
 */
export function openUpstream(address: string, own: OwnHeaders, bearer: Bearer | null = null): Upstream {
  const url = readServerUrl(address)
  const mine = new Map(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]))
  const owns = (header: string): boolean => mine.has(header)
  // SECURITY: A1 many servers take `X_Team` for `X-Team`.
  const ownsVariant = (header: string): boolean => mine.has(header) || mine.has(header.replaceAll('_', '-'))
  const always = filterHeaders([...mine].flat(), (name) => name !== 'host' && name !== 'content-length', [
    'host',
    url.host,
  ])
  const isSecure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const kept = isSecure ? null : new KeepAliveAgent({ host, port })
  const agent = kept ?? new HttpsAgent(KEEP)
  const request = isSecure ? httpsRequest : httpRequest
  const ownPath = pathOf(url)
  const advice = new WeakMap<IncomingMessage, string>()
  const tell = (answer: IncomingMessage, words: string): void => void advice.set(answer, words)

  function once(
    path: string,
    method: string,
    headers: HeaderList,
    body: Buffer | null,
    waiting: CancelHandle | AbortSignal | undefined,
  ): ClientRequest {
    // Node’s `signal` option would tie the kept connection to the signal of its first request.
    const sent = request({ host, port, path, agent, method, headers })
    if (waiting instanceof AbortSignal) followSignal(waiting, sent)
    else if (waiting !== undefined) waiting.leave = () => void sent.destroy()
    if (body === null) sent.end()
    else sent.end(body)
    return sent
  }

  function send(
    method: string,
    headers: HeaderList,
    body: Buffer | null,
    waiting: CancelHandle | AbortSignal | undefined,
    to: URL,
  ): Promise<IncomingMessage> {
    const whole =
      mine.size === 0 ? [...headers, ...always] : filterHeaders(headers, (name) => !ownsVariant(name), always)
    if (body !== null) whole.push('content-length', String(body.length))
    return new Promise((resolve, reject) => {
      let at = to
      let turns = 0
      let current: ClientRequest | undefined
      const hear = (answer: IncomingMessage): void => {
        answer.on('error', ignore)
        kept?.heed(headerOf(answer, 'keep-alive'))
        const next = turns < MAX_REDIRECTS ? redirectOf(answer, at) : null
        if (next === null) resolve(answer)
        else {
          discardBody(answer)
          turns += 1
          at = next
          go(pathOf(at))
        }
      }
      const go = (path: string): void => {
        const sent = once(path, method, whole, body, waiting)
        current = sent
        // INVARIANT: the fate of a redirected request does not affect its successor.
        sent.on('response', hear).on('error', (error) => {
          if (current === sent) reject(error)
        })
      }
      go(to === url ? ownPath : pathOf(to))
    })
  }

  /** The bearer for a request; null when something else authorizes it. */
  function bearerFor(headers: HeaderList): Bearer | null {
    return owns(AUTHORIZATION) || someHeader(headers, (name) => name === AUTHORIZATION) ? null : bearer
  }

  return {
    url,
    owns,
    open(method, headers, body, waiting, to = url) {
      const signer = bearerFor(headers)
      if (signer === null) return send(method, headers, body, waiting, to)
      return sendAuthorized(
        (token) => send(method, withToken(headers, token), body, waiting, to),
        signer,
        waiting,
        tell,
      )
    },
    async closeSession(method, headers, signal) {
      const signer = bearerFor(headers)
      const token = signer === null ? null : signer.cached()
      if (token !== undefined) discardBody(await send(method, withToken(headers, token), null, signal, url))
    },
    whyRefused: (answer) => advice.get(answer) ?? null,
    close: () => agent.destroy(),
  }
}

const AUTHORIZATION = 'authorization'

function withToken(headers: HeaderList, token: string | null): HeaderList {
  return token === null ? headers : [...headers, AUTHORIZATION, `Bearer ${token}`]
}

const KEEP = { keepAlive: true, keepAliveMsecs: 10_000, maxFreeSockets: 64 } as const

/** Readers of a response handle its errors. */
function ignore(): void {}

function followSignal(signal: AbortSignal, sent: ClientRequest): void {
  const leave = (): void => void sent.destroy()
  signal.addEventListener('abort', leave, { once: true })
  sent.on('close', () => signal.removeEventListener('abort', leave))
  if (signal.aborted) leave()
}

function pathOf({ pathname, search }: URL): string {
  return `${pathname}${search}`
}

/** SECURITY: A1 only within the same origin: the headers may hold credentials. */
function redirectOf(answer: IncomingMessage, from: URL): URL | null {
  const location = answer.statusCode === 307 || answer.statusCode === 308 ? answer.headers.location : undefined
  if (location === undefined) return null
  const next = URL.parse(location, from.href)
  return next !== null && next.origin === from.origin ? next : null
}

/** Parses `--url`. */
export function readServerUrl(address: string): URL {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new CountersignError(
      'CS_USAGE',
      `\`${safeText(address)}\` is not a server URL; use one such as https://host/mcp`,
    )
  if (url.username !== '' || url.password !== '')
    throw new CountersignError(
      'CS_USAGE',
      'a URL must not contain credentials; pass them with `--header` or in `COUNTERSIGN_MCP_HEADERS`',
    )
  return url
}

/** Whether a request cannot have reached its server. */
export function wasNeverSent(error: unknown): boolean {
  if (error instanceof CountersignError) return true
  return error instanceof Error && 'code' in error && NOBODY_THERE.has(String(error.code))
}

const NOBODY_THERE: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
])

/** Why a server could not be reached, in a few words. */
export function unreachableReason(error: unknown): string {
  if (error instanceof CountersignError) return error.message
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no connection'
  return `the server cannot be reached (${code})`
}
