import { ipBytes } from './ip-address.ts'

const LONGEST = 8_192
/** Programs disagree about these in front of a host: which one is reached is unknown. */
const AMBIGUOUS = /[\\\s\p{Cc}\p{Cf}]/u

const NAME_OR_ADDRESS = /^[a-z0-9._:-]+$/

/** A host in its one spelling, and a port. */
export interface HostAndPort {
  /** In lower case and punycode, without brackets, trailing dots and zone: `127.0.0.1` for `0x7f.1`. */
  readonly host: string
  /** Null if the scheme has no usual port and none is given. */
  readonly port: number | null
}

/**
 * A host in its one spelling, as URL parsers and `inet_aton` read it: octal, hexadecimal, short and decimal addresses,
 * full-width letters, percent escapes, trailing dots, brackets, zones. Null if it can't be a host.
 */
export function canonicalHost(text: string): string | null {
  if (text === '' || text.length > LONGEST || AMBIGUOUS.test(text)) return null
  const bare = text.replace(/^\[(.*)\]$/s, '$1')
  const isSix = bare.includes(':')
  const spelled = isSix ? `[${bare.replace(/%.*$/s, '')}]` : bare
  if (/[/?#@]/.test(spelled) || (!isSix && spelled.includes('['))) return null
  const name =
    parse(`http://${spelled}`)
      ?.hostname.replace(/\.+$/, '')
      .replace(/^\[|\]$/g, '') ?? ''
  return NAME_OR_ADDRESS.test(name) ? name : null
}

const USUAL_PORTS: Readonly<Record<string, number>> = {
  http: 80,
  https: 443,
  ws: 80,
  wss: 443,
  ftp: 21,
  ftps: 990,
  ssh: 22,
  'git+ssh': 22,
  'ssh+git': 22,
  sftp: 22,
  scp: 22,
  git: 9418,
  rsync: 873,
  ldap: 389,
  ldaps: 636,
  smtp: 25,
  smtps: 465,
  telnet: 23,
  gopher: 70,
  dict: 2628,
  mqtt: 1883,
}

/** Schemes without a host. */
const LOCAL_SCHEMES: ReadonlySet<string> = new Set('file data blob about javascript mailto urn unix'.split(' '))

/** What a URL leads to. `nowhere`: it has no host (`file:`). `unknown`: programs would not agree on the host. */
export type UrlTarget =
  | ({ readonly kind: 'host'; readonly scheme: string; readonly hasCredentials: boolean } & HostAndPort)
  | { readonly kind: 'nowhere' | 'unknown' }

const UNKNOWN: UrlTarget = { kind: 'unknown' }
const NOWHERE: UrlTarget = { kind: 'nowhere' }
const URL_PARTS = /^([a-z][a-z0-9+.-]{0,31}):(\/\/)?([^/?#]*)/is

/** The host of a URL, whatever its scheme. SECURITY: A7 what curl, browsers and Node read differently is unknown. */
export function urlTarget(url: string): UrlTarget {
  const text = url.trim()
  const [, named = '', slashes, authority = ''] = URL_PARTS.exec(text.slice(0, LONGEST)) ?? []
  const scheme = named.toLowerCase()
  if (scheme === '' || text.length > LONGEST) return UNKNOWN
  if (LOCAL_SCHEMES.has(scheme)) return NOWHERE
  if (slashes === undefined || AMBIGUOUS.test(authority)) return UNKNOWN
  const at = authority.lastIndexOf('@')
  const user = at === -1 ? '' : authority.slice(0, at)
  // `a@b@c`: some take the first, others the last.
  if (user.includes('@')) return UNKNOWN
  const read = hostAndPort(authority.slice(at + 1), USUAL_PORTS[scheme.replace(/^git\+(?=https?$)/, '')] ?? null)
  return read === null ? UNKNOWN : { kind: 'host', scheme, hasCredentials: user !== '', ...read }
}

/** Reads `host`, `host:port`, `[::1]:port` or a bare IPv6 address. */
export function hostAndPort(text: string, usual: number | null): HostAndPort | null {
  const isBareSix = (text.match(/:/g)?.length ?? 0) > 1 && !text.startsWith('[')
  const [, name = '', digits] = isBareSix ? [null, text] : (/^(\[[^\]]*\]|[^:]*)(?::(\d{0,5}))?$/s.exec(text) ?? [])
  const host = canonicalHost(name)
  const port = digits === undefined || digits === '' ? usual : Number(digits)
  return host === null || (port !== null && (port < 1 || port > 65_535)) ? null : { host, port }
}

/** Whether a host in its one spelling is an address, not a name. */
export function isAddress(host: string): boolean {
  return ipBytes(host.replace(/^\[|\]$/g, '')) !== null
}

function parse(url: string): URL | null {
  try {
    return new URL(url)
  } catch {
    return null
  }
}
