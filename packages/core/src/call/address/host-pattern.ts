import { canonicalHost } from './host.ts'
import { ipBytes } from './ip-address.ts'

/** The ports that a pattern without a port names. */
const WEB_PORTS: ReadonlySet<number> = new Set([80, 443])

/** A host pattern, ready to match: a name, `*.name` for every name below it, an address, or `*`. */
export interface HostPattern {
  /** Lower case, in its one spelling; `*.example.com` keeps its star. */
  readonly host: string
  /** Null: the web's own ports, 80 and 443. */
  readonly port: number | null
}

/** Reads `example.com`, `*.example.com:8443`, `10.0.0.1`, `[::1]:80` or `*`. Null if it is not a pattern. */
export function readHostPattern(text: string): HostPattern | null {
  const isBareSix = (text.match(/:/g)?.length ?? 0) > 1 && !text.startsWith('[')
  const [, name = '', digits] = isBareSix ? [null, text] : (/^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/s.exec(text) ?? [])
  const port = digits === undefined ? null : Number(digits)
  if (port !== null && (port < 1 || port > 65_535)) return null
  if (name === '*') return { host: '*', port }
  const isBelow = name.startsWith('*.')
  const host = canonicalHost(isBelow ? name.slice(2) : name)
  if (host === null || (isBelow && (ipBytes(host) !== null || !host.includes('.')))) return null
  return { host: isBelow ? `*.${host}` : host, port }
}

/**
 * Whether a pattern names a host and port. A pattern without a port names the ports 80 and 443, and uses whose port is
 * unknown; `anyPort` makes it name every port, for rules that tighten.
 */
export function matchesHost(
  pattern: HostPattern,
  { host, port }: { readonly host: string; readonly port: number | null },
  anyPort: boolean,
): boolean {
  const isPort = pattern.port === null ? anyPort || port === null || WEB_PORTS.has(port) : pattern.port === port
  // A port that is not known may be the one that is meant.
  if (!isPort && !(anyPort && port === null)) return false
  if (pattern.host === '*' || pattern.host === host) return true
  if (!pattern.host.startsWith('*.')) return false
  return host.length > pattern.host.length - 1 && host.endsWith(pattern.host.slice(1)) && ipBytes(host) === null
}

/** A host and port as people write it: `example.com`, `example.com:8443`, `[::1]:80`. */
export function hostText(host: string, port: number | null = null): string {
  const name = host.includes(':') ? `[${host}]` : host
  return port === null || WEB_PORTS.has(port) ? name : `${name}:${port}`
}
