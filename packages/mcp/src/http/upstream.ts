import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { CountersignError, safeText } from '@countersign/core'

/** A server at an address. */
export interface Upstream {
  readonly url: URL
  /** Whether a header is ours with every request, whatever a client says. */
  owns(header: string): boolean
  /**
   * Sends one request and gives the head of its answer. Aborting the signal ends both. Redirects on the same origin are
   * followed, each time anew. SECURITY: A9 where one credential is sent to is not where the others go.
   */
  open(
    method: string,
    headers: OutgoingHttpHeaders,
    body: Buffer | null,
    signal?: AbortSignal,
  ): Promise<IncomingMessage>
  close(): void
}

/** Sent along with every request: credentials, mostly. */
export type OwnHeaders = { readonly [name: string]: string }

const MOST_REDIRECTS = 3

/** Opens the way to a server over HTTP, with connections that are kept. */
export function openUpstream(address: string, own: OwnHeaders): Upstream {
  const url = readAddress(address)
  const mine = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]))
  const isSecure = url.protocol === 'https:'
  const agent = isSecure ? new HttpsAgent(KEEP) : new HttpAgent(KEEP)
  const request = isSecure ? httpsRequest : httpRequest
  const authority = url.host
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = url.port === '' ? undefined : Number(url.port)

  function once(
    at: URL,
    method: string,
    headers: OutgoingHttpHeaders,
    body: Buffer | null,
    signal?: AbortSignal,
  ): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const length = body === null ? {} : { 'content-length': body.length }
      const whole = { ...headers, ...mine, host: authority, ...length }
      // Not by Node's own option: that would tie the kept connection to the signal of its first request.
      const sent = request({ host, port, path: `${at.pathname}${at.search}`, agent, method, headers: whole })
      const leave = (): void => void sent.destroy()
      signal?.addEventListener('abort', leave, { once: true })
      if (signal?.aborted === true) leave()
      sent.on('close', () => signal?.removeEventListener('abort', leave))
      sent.on('response', (answer) => {
        answer.on('error', () => {}) // whoever reads it hears of it; nobody else need
        resolve(answer)
      })
      sent.on('error', reject)
      sent.end(body ?? undefined)
    })
  }

  return {
    url,
    owns: (header) => Object.hasOwn(mine, header),
    async open(method, headers, body, signal) {
      let at = url
      for (let turns = 0; ; turns += 1) {
        const answer = await once(at, method, headers, body, signal)
        const next = turns < MOST_REDIRECTS ? redirectOf(answer, at) : null
        if (next === null) return answer
        answer.resume()
        at = next
      }
    },
    close: () => agent.destroy(),
  }
}

const KEEP = { keepAlive: true, keepAliveMsecs: 10_000, maxFreeSockets: 64 } as const

/** SECURITY: A1 only to another path of the same origin: the headers may hold a credential. */
function redirectOf({ statusCode, headers }: IncomingMessage, from: URL): URL | null {
  if ((statusCode !== 307 && statusCode !== 308) || headers.location === undefined) return null
  const next = URL.parse(headers.location, from.href)
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

/** Why a server could not be reached, in a few words. */
export function unreachable(error: unknown): string {
  const code =
    error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : 'no connection'
  return `the server cannot be reached (${code})`
}

/** Reads a body up to a bound; null when it is larger: then it is read no further. Rejects when it breaks off. */
export function readBody(stream: IncomingMessage, mostBytes: number): Promise<Buffer | null> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer): void => {
      size += chunk.length
      if (size <= mostBytes) return void chunks.push(chunk)
      stream.off('data', take)
      stream.pause()
      resolve(null)
      if (typeof stream.statusCode === 'number') stream.destroy() // whoever sent a request still waits to hear of it
    }
    stream.on('data', take)
    stream.on('end', () => {
      const [only] = chunks
      resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
    })
    stream.on('error', reject)
    stream.on('close', () => reject(new Error('the body broke off')))
  })
}

/** What kind of body it is: `application/json`, `text/event-stream`, or something else. */
export function contentType(message: IncomingMessage): string {
  return (message.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''
}
