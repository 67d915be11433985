import { BlockList, isIP } from 'node:net'
import { CountersignError, safeText } from '@countersign/core'
import { isLoopback } from '../http/listener/allowed-hosts.ts'
import { readAddress } from '../http/upstream/upstream.ts'

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
 * Whether an address that a server names may be asked. SECURITY: A17 a server far away must not have this machine ask programs
 * on itself, or what only its own network reaches: an address is named by nobody who is farther away than it.
 */
export function mayAsk(url: URL, server: URL): boolean {
  if (url.username !== '' || url.password !== '') return false
  return isSafeAddress(url) && distanceOf(url) >= distanceOf(server)
}

const [HERE, NEAR, ANYWHERE] = [0, 1, 2] as const

/** How far away a host is, by what it is called: this machine, a network that is nobody else's, or anywhere. */
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
