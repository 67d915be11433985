/** What sort of machine an address or a name leads to. */
export type Reach = 'public' | 'loopback' | 'private' | 'metadata'

/** Where clouds hand out credentials to whoever asks. */
const METADATA: ReadonlySet<string> = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
  '100.100.100.200',
  '192.0.0.192',
  '168.63.129.16',
  'fd00:ec2::254',
  'fd00:ec2::23',
  'metadata.google.internal',
  'metadata.goog',
  'metadata',
  'instance-data',
  'instance-data.ec2.internal',
])

const PRIVATE_ENDINGS =
  '.local .internal .intranet .lan .home .corp .private .home.arpa .localdomain .svc .consul .docker'.split(' ')

/** Public names that everybody knows to lead to the machine itself. */
const LOOPBACK_NAMES = ['localhost', 'localtest.me', 'lvh.me', 'vcap.me', 'lacolhost.com', 'localho.st']

/** Names that resolve to the address written into them, in four numbers or in one. */
const ADDRESS_NAMES = /(?:^|[.-])(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})\.(?:nip|sslip|xip)\.io$/
const HEX_NAMES = /(?:^|[.-])([0-9a-f]{4})([0-9a-f]{4})\.(?:nip|sslip)\.io$/
/** IPv6 that stands for an IPv4 address: `::ffff:7f00:1` is 127.0.0.1, and so it is behind NAT64 and 6to4. */
const MAPPED = /^(?:::ffff:(?:0:)?|64:ff9b::|64:ff9b:1::|::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/
const SIX_TO_FOUR = /^2002:([0-9a-f]{1,4}):([0-9a-f]{1,4}):/

/** Tells by a host as `URL` spells it: other spellings of an address are already one. */
export function reachOf(host: string): Reach {
  const name = host.replace(/\.+$/, '').replace(/^\[|\]$/g, '')
  if (METADATA.has(name)) return 'metadata'
  if (LOOPBACK_NAMES.some((known) => name === known || name.endsWith(`.${known}`))) return 'loopback'
  const bytes = ipv4(name) ?? ipv4(ADDRESS_NAMES.exec(name)?.slice(1).join('.') ?? '') ?? mapped(name)
  if (bytes !== null) return METADATA.has(bytes.join('.')) ? 'metadata' : reachOfIpv4(bytes)
  if (name.includes(':')) return reachOfIpv6(name)
  // A name without a dot is found in the local network only.
  return !name.includes('.') || PRIVATE_ENDINGS.some((ending) => name.endsWith(ending)) ? 'private' : 'public'
}

/** Whether a host is a bare address. */
export function isAddress(host: string): boolean {
  return host.startsWith('[') || ipv4(host) !== null
}

function ipv4(text: string): readonly number[] | null {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part))) return null
  const bytes = parts.map(Number)
  return bytes.every((byte) => byte <= 255) ? bytes : null
}

/** The IPv4 address that two groups of four hexadecimal digits hold. */
function mapped(text: string): readonly number[] | null {
  const found = MAPPED.exec(text) ?? SIX_TO_FOUR.exec(text) ?? HEX_NAMES.exec(text)
  if (found === null) return null
  const [high, low] = [Number.parseInt(found[1] ?? '', 16), Number.parseInt(found[2] ?? '', 16)]
  return [high >> 8, high & 255, low >> 8, low & 255]
}

function reachOfIpv4([a = 0, b = 0, c = 0]: readonly number[]): Reach {
  if (a === 127 || a === 0) return 'loopback'
  const isPrivate =
    a === 10 ||
    (a === 172 && b >= 16 && b <= 31) ||
    (a === 192 && b === 168) ||
    (a === 169 && b === 254) ||
    (a === 100 && b >= 64 && b <= 127) ||
    (a === 192 && b === 0 && c === 0) ||
    (a === 198 && (b === 18 || b === 19)) ||
    a >= 224
  return isPrivate ? 'private' : 'public'
}

function reachOfIpv6(name: string): Reach {
  if (name === '::1' || name === '::') return 'loopback'
  return /^(?:f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]|fe[c-f][0-9a-f]|ff[0-9a-f]{2}):/.test(name) ? 'private' : 'public'
}
