import { CountersignError, safeText } from '@countersign/core'
import { isLoopback } from '../http/allowed-hosts.ts'
import { readAddress } from '../http/upstream.ts'

/** Whether a token may travel there. SECURITY: A32 plain HTTP only on this machine: elsewhere everybody on the way reads it. */
export function isSafeAddress(url: URL): boolean {
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))
}

/** The address of a server that is signed in to, as it is kept: one server has one, however it was written. */
export function readSignInAddress(address: string): URL {
  const url = readAddress(address)
  url.hash = ''
  if (isSafeAddress(url)) return url
  throw new CountersignError(
    'CS_MCP_SIGN_IN',
    `\`${safeText(url.host)}\` is reached without TLS, where everybody on the way can read a token; use its https:// address`,
  )
}

/**
 * Whether an address that a server names may be asked. SECURITY: A17 a server far away must not have this machine ask
 * programs on itself: plain HTTP is for a server on this machine that names another one here.
 */
export function mayAsk(url: URL, server: URL): boolean {
  if (url.username !== '' || url.password !== '') return false
  return url.protocol === 'https:' || (isSafeAddress(url) && isLoopback(server.hostname))
}
