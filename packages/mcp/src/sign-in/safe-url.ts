import { CountersignError, reachOf, safeText } from '@countersign/core'
import { isLoopback } from '../http/listener/allowed-hosts.ts'
import { readServerUrl } from '../http/upstream/upstream.ts'

/** Whether a token may be sent there. SECURITY: A32 plain HTTP only on this machine: elsewhere others could read it. */
export function isSecureUrl(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/** The URL of a server to sign in to, normalized: one server has one. */
export function readSignInUrl(address: string): URL {
  const url = readServerUrl(address)
  url.hash = ''
  if (isSecureUrl(url)) return url
  throw new CountersignError(
    'CS_MCP_SIGN_IN',
    `\`${safeText(url.host)}\` is reached without TLS, so others could read the token; use its https:// URL`,
  )
}

/**
 * Whether a URL named by a server may be requested. SECURITY: A17 a remote server must not make this machine call
 * programs on itself or in its private network: a URL may only be as close as the server that names it, or farther.
 */
export function isAllowedUrl(url: URL, server: URL): boolean {
  if (url.username !== '' || url.password !== '') return false
  return isSecureUrl(url) && distanceOf(url) >= distanceOf(server)
}

const [HERE, NEAR, ANYWHERE] = [0, 1, 2] as const

/** The distance of a host, by its spelling: this machine, a private network, or anywhere. */
function distanceOf({ hostname }: URL): number {
  const reach = reachOf(hostname)
  if (reach === 'loopback') return HERE
  return reach === 'public' ? ANYWHERE : NEAR
}

/**
 * The error of a sign-in. SECURITY: A32 without a cause: libraries quote the response they could not parse, tokens
 * included, and causes are printed while debugging.
 */
export function signInError(message: string): CountersignError {
  return new CountersignError('CS_MCP_SIGN_IN', message)
}
