import { BlockList, isIP } from 'node:net'
import { CountersignError, safeText } from '@countersign/core'
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

/** The distance of a host, by its name: this machine, a private network, or anywhere. */
function distanceOf({ hostname }: URL): number {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const family = isIP(host)
  if (family === 0) {
    if (host === 'localhost' || host.endsWith('.localhost')) return HERE
    return host.includes('.') && !host.endsWith('.local') ? ANYWHERE : NEAR
  }
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  if (THIS_MACHINE.check(host, kind)) return HERE
  return OWN_NETWORK.check(host, kind) ? NEAR : ANYWHERE
}

const THIS_MACHINE = listOf('127.0.0.0/8 0.0.0.0/8', '::1/128 ::/128')
const OWN_NETWORK = listOf(
  '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 100.64.0.0/10',
  'fc00::/7 fe80::/10 fec0::/10 64:ff9b::/96',
)

function listOf(four: string, six: string): BlockList {
  const list = new BlockList()
  for (const [nets, kind] of [
    [four, 'ipv4'],
    [six, 'ipv6'],
  ] as const)
    for (const net of nets.split(' ')) {
      const [address = '', bits] = net.split('/')
      list.addSubnet(address, Number(bits), kind)
    }
  return list
}

/**
 * The error of a sign-in. SECURITY: A32 without a cause: libraries quote the response they could not parse, tokens
 * included, and causes are printed while debugging.
 */
export function signInError(message: string): CountersignError {
  return new CountersignError('CS_MCP_SIGN_IN', message)
}
