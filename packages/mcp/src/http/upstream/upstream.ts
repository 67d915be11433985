import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { CountersignError, safeText } from '@countersign/core'
import { dropBody } from '../messages/discard-body.ts'
import { filterHeaders, type HeaderList, headerOf, someHeader } from '../messages/raw-headers.ts'
import { sendSigned } from './authorized-request.ts'
import type { Bearer } from './bearer-token.ts'
import { KeptConnections } from './connection-pool.ts'

/** A server at an address. */
export interface Upstream {
  readonly url: URL
  /** Whether a header is ours with every request, whatever a client says. */
  owns(header: string): boolean
  /**
   * Sends one request and gives the head of its answer; to another address of the same origin where one is named. Whoever waits may leave, which ends both. Redirects on the same
   * origin are followed, each time again. SECURITY: A9 where one credential is sent to is not where the others go.
   */
  open(
    method: string,
    headers: HeaderList,
    body: Buffer | null,
    waiting?: LeavingRoom | AbortSignal,
    to?: URL,
  ): Promise<IncomingMessage>
  /** Sends a last word: only if that can be done at once, and without waiting for more than its answer's head. */
  farewell(method: string, headers: HeaderList, signal: AbortSignal): Promise<void>
  /** What to do about a refusal that a sign-in would mend; null for any other answer. */
  whyRefused(answer: IncomingMessage): string | null
  close(): void
}

/** Where whoever waits for one answer is told how to leave. A signal does the same, and costs more than it should here. */
export interface LeavingRoom {
  leave: () => void
}

/** Sent along with every request: credentials, mostly. */
export type OwnHeaders = { readonly [name: string]: string }

const MAX_REDIRECTS = 3

/**
 * Opens the way to a server over HTTP, with connections that are kept. The bearer's token goes along where neither we nor
 * the client have an `Authorization` of our own: it was made for this server, and leaves its origin as little as they do.
 */
export function openUpstream(address: string, own: OwnHeaders, bearer: Bearer | null = null): Upstream {
  const url = readAddress(address)
  const mine = new Map(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]))
  const owns = (header: string): boolean => mine.has(header)
  // SECURITY: A1 many servers take `X_Team` for `X-Team`.
  const ownsTwin = (header: string): boolean => mine.has(header) || mine.has(header.replaceAll('_', '-'))
  const always = filterHeaders([...mine].flat(), (name) => name !== 'host' && name !== 'content-length', [
    'host',
    url.host,
  ])
  const isSecure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? (isSecure ? 443 : 80) : Number(url.port)
  const kept = isSecure ? null : new KeptConnections({ host, port })
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
    waiting: LeavingRoom | AbortSignal | undefined,
  ): ClientRequest {
    // Not by Node's own option for signals: that would tie the kept connection to the signal of its first request.
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
    waiting: LeavingRoom | AbortSignal | undefined,
    to: URL,
  ): Promise<IncomingMessage> {
    const whole = mine.size === 0 ? [...headers, ...always] : filterHeaders(headers, (name) => !ownsTwin(name), always)
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
          dropBody(answer)
          turns += 1
          at = next
          go(pathOf(at))
        }
      }
      const go = (path: string): void => {
        const sent = once(path, method, whole, body, waiting)
        current = sent
        // INVARIANT: what becomes of a request that was redirected says nothing of the one that took its place.
        sent.on('response', hear).on('error', (error) => {
          if (current === sent) reject(error)
        })
      }
      go(to === url ? ownPath : pathOf(to))
    })
  }

  /** Whose token goes along; null where there is none, or something else goes in its place. */
  function bearerFor(headers: HeaderList): Bearer | null {
    return owns(AUTHORIZATION) || someHeader(headers, (name) => name === AUTHORIZATION) ? null : bearer
  }

  return {
    url,
    owns,
    open(method, headers, body, waiting, to = url) {
      const signer = bearerFor(headers)
      if (signer === null) return send(method, headers, body, waiting, to)
      return sendSigned((token) => send(method, withToken(headers, token), body, waiting, to), signer, waiting, tell)
    },
    async farewell(method, headers, signal) {
      const signer = bearerFor(headers)
      const token = signer === null ? null : signer.atHand()
      if (token !== undefined) dropBody(await send(method, withToken(headers, token), null, signal, url))
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

/** Whoever reads an answer hears of what is wrong with it; nobody else need. */
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

/** SECURITY: A1 only to another path of the same origin: the headers may hold a credential. */
function redirectOf(answer: IncomingMessage, from: URL): URL | null {
  const location = answer.statusCode === 307 || answer.statusCode === 308 ? answer.headers.location : undefined
  if (location === undefined) return null
  const next = URL.parse(location, from.href)
  return next !== null && next.origin === from.origin ? next : null
}

/** Reads `--url`. */
export function readAddress(address: string): URL {
  const url = URL.parse(address)
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new CountersignError(
      'CS_USAGE',
      `\`${safeText(address)}\` is no address of a server; write such as https://host/mcp`,
    )
  if (url.username !== '' || url.password !== '')
    throw new CountersignError(
      'CS_USAGE',
      'an address holds no credentials; give them with `--header` or in `COUNTERSIGN_MCP_HEADERS`',
    )
  return url
}

/** Whether a request cannot have reached its server: it was not tried, or there was nobody to connect to. */
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

/** Why a server could not be reached, in a few words; also where it was not even tried. */
export function unreachable(error: unknown): string {
  if (error instanceof CountersignError) return error.message
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no connection'
  return `the server cannot be reached (${code})`
}
