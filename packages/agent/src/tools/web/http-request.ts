import { type LookupAddress, lookup } from 'node:dns'
import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { LookupFunction } from 'node:net'
import { reachOf } from '@countersign/core'
import { isInOwnNetworks } from '@countersign/node'
import { toolFailure } from '../definition/tool-failure.ts'

const MAX_BYTES = 1024 * 1024
const MAX_MS = 30_000

/** A request. */
export interface Asked {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

/** A response. */
export interface Answer {
  readonly status: number
  readonly type: string | null
  readonly location: string | null
  readonly body: Buffer
  /** The body was cut. */
  readonly cut: boolean
}

/** Sends one request, follows no redirect, and keeps at most 1 MiB. */
export function sendRequest({ url, method, headers, body }: Asked, signal: AbortSignal): Promise<Answer> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)])
  const send = url.protocol === 'https:' ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => reject(signal.aborted ? signal.reason : problemOf(url, error, until))
    const sent = send(url, {
      method,
      headers: {
        'user-agent': 'countersign',
        accept: '*/*',
        'accept-encoding': 'identity',
        ...headers,
        ...framing(body),
      },
      lookup: lookupAsNamed(url.hostname),
      signal: until,
      agent: false,
    })
    sent.on('error', fail)
    sent.on('response', (answer) => {
      const chunks: Buffer[] = []
      let bytes = 0
      const end = (cut: boolean): void =>
        resolve({
          status: answer.statusCode ?? 0,
          type: answer.headers['content-type'] ?? null,
          location: answer.headers.location ?? null,
          body: Buffer.concat(chunks).subarray(0, MAX_BYTES),
          cut,
        })
      answer.on('error', fail)
      answer.on('end', () => end(false))
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes <= MAX_BYTES) return
        end(true)
        sent.destroy()
      })
    })
    sent.end(body)
  })
}

/** SECURITY: A7 Node sends the body of some methods without its length: it would be read as another request. */
function framing(body: string | undefined): Readonly<Record<string, string>> {
  return body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
}

const RANKS = ['public', 'private', 'loopback', 'metadata']

/**
 * SECURITY: A7 a call is judged by the host name. A public name that resolves to this machine, its network or cloud
 * metadata is another request. Returns the first such address, or null.
 */
export function surpriseIn(host: string, addresses: readonly string[]): string | null {
  const named = RANKS.indexOf(reachOf(host))
  const reached = (address: string): string =>
    reachOf(address) === 'public' && isInOwnNetworks(address) ? 'private' : reachOf(address)
  return addresses.find((address) => RANKS.indexOf(reached(address)) > named) ?? null
}

/** Resolves a name, and returns only checked addresses. */
function lookupAsNamed(host: string): LookupFunction {
  return (name, options, callback) => {
    lookup(name, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error !== null) return callback(error, [])
      const odd = surpriseIn(
        host,
        found.map(({ address }) => address),
      )
      if (odd !== null)
        return callback(toolFailure(`\`${host}\` resolves to ${odd}; request that address itself if you mean it`), [])
      const [first] = found
      if (first === undefined) return callback(toolFailure(`\`${host}\` does not resolve`), [])
      return options.all === true ? callback(null, found) : callback(null, first.address, first.family)
    })
  }
}

function problemOf(url: URL, error: unknown, until: AbortSignal): unknown {
  if (until.aborted) return toolFailure(`\`${url.host}\` did not answer within ${MAX_MS / 1000} s`)
  const code = (error as NodeJS.ErrnoException)?.code
  if (code === 'CS_TOOL_FAILED') return error
  return toolFailure(`\`${url.host}\` cannot be reached (${code ?? 'unknown'})`, error)
}
