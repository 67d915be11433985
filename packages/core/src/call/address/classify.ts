import { ADDRESSES } from '../../knowledge/compiled/network.ts'
import { canonicalHost } from './host.ts'
import { embeddedIpv4, type IpBytes, ipBytes } from './ip-address.ts'

/**
 * What a host is. `metadata` gives a machine's credentials to anyone who asks; `private` includes names of a private
 * network; `name` is any other name, wherever it leads.
 */
export type HostKind =
  | 'loopback'
  | 'unspecified'
  | 'metadata'
  | 'link-local'
  | 'private'
  | 'multicast'
  | 'public'
  | 'name'

/** The kind of a host in any spelling; null if it can't be a host. */
export function hostKind(host: string): HostKind | null {
  const name = canonicalHost(host)
  if (name === null) return null
  const bytes = ipBytes(name)
  return bytes === null ? nameKind(name) : addressKind(bytes, name)
}

/** What sort of machine a host leads to, by its spelling alone. */
export type HostReach = 'public' | 'loopback' | 'private' | 'metadata'

const REACH: Readonly<Record<HostKind, HostReach>> = {
  loopback: 'loopback',
  unspecified: 'loopback',
  metadata: 'metadata',
  'link-local': 'private',
  private: 'private',
  multicast: 'private',
  public: 'public',
  name: 'public',
}

/** What sort of machine a host in any spelling leads to. What can't be read counts as private. */
export function reachOf(host: string): HostReach {
  const kind = hostKind(host)
  return kind === null ? 'private' : REACH[kind]
}

/** Whether a host is this machine: `localhost` or a loopback address in any spelling. */
export function isThisMachine(host: string): boolean {
  const name = canonicalHost(host)
  if (name === null) return false
  const bytes = ipBytes(name)
  if (bytes === null) return name === 'localhost' || name.endsWith('.localhost')
  const kind = addressKind(bytes, name)
  return kind === 'loopback' || kind === 'unspecified'
}

/** Whether a host may give a machine's credentials to anyone who asks: metadata services are link-local. */
export function givesCredentials(host: string): boolean {
  const kind = hostKind(host)
  return kind === 'metadata' || kind === 'link-local'
}

function nameKind(name: string): HostKind {
  if (ADDRESSES.metadata.has(name)) return 'metadata'
  const isBelow = (known: string): boolean => name === known || name.endsWith(`.${known}`)
  if (ADDRESSES.loopbackNames.some(isBelow)) return 'loopback'
  const domain = ADDRESSES.addressDomains.find(isBelow)
  const bytes = domain === undefined ? null : bytesInName(name.slice(0, -domain.length - 1))
  if (bytes !== null) return addressKind(bytes, bytes.join('.'))
  // A name without a dot is found in the local network only.
  const isPrivate = !name.includes('.') || ADDRESSES.privateEndings.some((ending) => name.endsWith(ending))
  return isPrivate ? 'private' : 'name'
}

/** The address in `app.10-0-0-1`, `10.0.0.1` or `7f000001`. */
function bytesInName(text: string): IpBytes | null {
  const four = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})$/.exec(text)
  if (four !== null) return ipBytes(four.slice(1).map(Number).join('.'))
  const hex = /(?:^|[.-])([0-9a-f]{8})$/.exec(text)?.[1]
  if (hex !== undefined) return [0, 2, 4, 6].map((at) => Number.parseInt(hex.slice(at, at + 2), 16))
  const six = /(?:^|\.)([0-9a-f-]{2,39})$/.exec(text)?.[1]
  return six === undefined ? null : ipBytes(six.replaceAll('-', ':'))
}

function addressKind(bytes: IpBytes, text: string): HostKind {
  if (ADDRESSES.metadata.has(text)) return 'metadata'
  if (bytes.length === 4) return ipv4Kind(bytes)
  const inner = embeddedIpv4(bytes)
  return inner === null ? ipv6Kind(bytes) : addressKind(inner, inner.join('.'))
}

function ipv4Kind([a = 0, b = 0, c = 0]: IpBytes): HostKind {
  if (a === 0) return 'unspecified'
  if (a === 127) return 'loopback'
  if (a === 169 && b === 254) return 'link-local'
  if (a >= 224 && a <= 239) return 'multicast'
  const isPrivate =
    a === 10 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 192 && b === 0 && c === 0) ||
    (a === 198 && (b === 18 || b === 19)) ||
    a >= 240
  return isPrivate ? 'private' : 'public'
}

function ipv6Kind(bytes: IpBytes): HostKind {
  const [first = 0, second = 0] = bytes
  if (bytes.slice(0, 15).every((byte) => byte === 0)) return bytes[15] === 0 ? 'unspecified' : 'loopback'
  if (first === 255) return 'multicast'
  if (first === 0xfe && second >= 0x80) return second < 0xc0 ? 'link-local' : 'private'
  return (first & 0xfe) === 0xfc ? 'private' : 'public'
}
