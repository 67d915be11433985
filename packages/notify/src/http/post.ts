import { lookup } from 'node:dns'
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isThisMachine } from '@countersign/core'
import { addressProblem } from './address-guard.ts'

/** One POST to a channel. */
export interface Outgoing {
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
  /** The person marked this host as being in a private network. */
  readonly isPrivateAllowed: boolean
}

/** The result of a POST. `refused`: we did not send it; `unreachable`: no complete answer came. */
export type Posted =
  | { readonly kind: 'answer'; readonly status: number; readonly retryAfter: string | null; readonly text: string }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'unreachable'; readonly why: string }

/** How much of a response is read. INVARIANT: L10, the rest is cut off. */
const MOST_ANSWER = 4_096
const PATIENCE_MS = 15_000

/**
 * Sends a POST by itself: no redirect is followed, no proxy or cookie used, and no answer waited for longer than 15 s.
 * SECURITY: the address is checked where the connection is made, so that a name cannot lead elsewhere in between.
 */
export function post(outgoing: Outgoing, signal: AbortSignal): Promise<Posted> {
  const { url, headers, body, isPrivateAllowed } = outgoing
  const problem = schemeProblem(url) ?? addressProblem(url.hostname, url.hostname, isPrivateAllowed)
  if (problem !== null) return Promise.resolve({ kind: 'refused', why: problem })
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const stop = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? requestSecure : requestPlain)(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': String(bytes.byteLength) },
      agent: false,
      lookup: guardedLookup(isPrivateAllowed),
      signal: stop,
    })
    request.on('error', (error) => resolve(failure(error, stop)))
    request.on('response', (answer) =>
      readStart(answer).then(resolve, (error: unknown) => resolve(failure(error, stop))),
    )
    request.end(bytes)
  })
}

function schemeProblem(url: URL): string | null {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))) return null
  return 'only https is used beyond this machine'
}

/** Resolves a name as usual, and refuses it if any of its addresses may not be contacted. */
function guardedLookup(isPrivateAllowed: boolean): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error !== null) return done(error, '', 0)
      const problems = found.map(({ address }) => addressProblem(host, address, isPrivateAllowed))
      const problem = problems.find((one) => one !== null)
      const [first] = found
      if (problem !== undefined && problem !== null) return done(new RefusedAddress(problem), '', 0)
      if (options.all === true) return done(null, found)
      return done(null, first?.address ?? '', first?.family ?? 0)
    })
  }
}

class RefusedAddress extends Error {}

async function readStart(answer: IncomingMessage): Promise<Posted> {
  const { statusCode = 0, headers } = answer
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part)
    length += part.length
    if (length >= MOST_ANSWER) break // leaving the loop destroys the connection
  }
  const text = Buffer.concat(parts).subarray(0, MOST_ANSWER).toString()
  return { kind: 'answer', status: statusCode, retryAfter: headers['retry-after'] ?? null, text }
}

function failure(error: unknown, stop: AbortSignal): Posted {
  if (error instanceof RefusedAddress) return { kind: 'refused', why: error.message }
  if (stop.aborted) return { kind: 'unreachable', why: 'no answer in time' }
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'network error'
  return { kind: 'unreachable', why: `not reachable (${code})` }
}
