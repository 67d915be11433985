import { hostAndPort, urlTarget } from '@countersign/core'

/** What a client of the proxy asks for first. */
export type Request =
  | { readonly kind: 'connect'; readonly host: string; readonly port: number }
  /** A plain HTTP request, with the head to send on. */
  | { readonly kind: 'forward'; readonly host: string; readonly port: number; readonly head: string }
  | { readonly kind: 'invalid' }

const INVALID: Request = { kind: 'invalid' }
/** Headers between the client and the proxy. */
const HOP = /^(?:proxy-[\w-]*|connection|keep-alive|host)$/i

/** Reads the head of a request: everything before the first empty line. */
export function readHead(text: string): Request {
  // SECURITY: NUL and bare line breaks would be read differently by the other side.
  if (/[^\t\x20-\x7e\r\n]|\r(?!\n)|(?<!\r)\n/.test(text)) return INVALID
  const [line = '', ...headers] = text.split('\r\n')
  const [, method = '', target = '', version = ''] = /^([A-Z]{1,16}) (\S+) HTTP\/(1\.[01])$/.exec(line) ?? []
  if (method === 'CONNECT') {
    const read = /^[^/?#@]+:\d{1,5}$/.test(target) ? hostAndPort(target, null) : null
    return read === null || read.port === null ? INVALID : { kind: 'connect', host: read.host, port: read.port }
  }
  const url = target.startsWith('http://') ? urlTarget(target) : null
  if (url === null || url.kind !== 'host' || url.port === null || url.hasCredentials) return INVALID
  const kept = headers.filter((header) => header !== '' && !HOP.test(header.split(':', 1)[0]?.trim() ?? ''))
  if (kept.some((header) => !/^[\w!#$%&'*+.^`|~-]+:/.test(header))) return INVALID
  const path = target.replace(/^http:\/\/[^/?#]*/, '')
  const name = url.host.includes(':') ? `[${url.host}]` : url.host
  const head = [
    `${method} ${path.startsWith('/') ? path : `/${path}`} HTTP/${version}`,
    // SECURITY: the host that was checked, whatever the client wrote.
    `Host: ${url.port === 80 ? name : `${name}:${url.port}`}`,
    ...kept,
    'Connection: close',
  ]
  return { kind: 'forward', host: url.host, port: url.port, head: `${head.join('\r\n')}\r\n\r\n` }
}

/** The start of a SOCKS5 request without its greeting: what it asks for, or null if more bytes are needed. */
export function readSocks(bytes: Buffer): { readonly request: Request; readonly length: number } | null {
  if (bytes.length < 5) return null
  const [version, command, , kind, first = 0] = bytes
  if (version !== 5 || command !== 1) return { request: INVALID, length: bytes.length }
  const size = kind === 1 ? 4 : kind === 4 ? 16 : kind === 3 ? first + 1 : 0
  if (size === 0) return { request: INVALID, length: bytes.length }
  const length = 4 + size + 2
  if (bytes.length < length) return null
  const raw = bytes.subarray(4, 4 + size)
  const text = kind === 1 ? raw.join('.') : kind === 4 ? sixText(raw) : raw.subarray(1).toString('latin1')
  const read = hostAndPort(text, bytes.readUInt16BE(4 + size))
  const request: Request =
    read === null || read.port === null ? INVALID : { kind: 'connect', host: read.host, port: read.port }
  return { request, length }
}

function sixText(raw: Buffer): string {
  return `[${Array.from({ length: 8 }, (_, at) => raw.readUInt16BE(at * 2).toString(16)).join(':')}]`
}
