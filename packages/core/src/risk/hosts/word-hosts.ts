import { type HostAndPort, hostAndPort, urlTarget } from '../../call/address/host.ts'
import type { CommandWord } from '../../command/model/decomposition.ts'

/** A host that a word names; `unknown` if the word decides, and it can't be read. Null: the word names none. */
export type WordHost = (HostAndPort & { readonly hasCredentials: boolean }) | 'unknown' | null

const LONGEST = 8_192
const SCHEME = /^[a-z][a-z0-9+.-]{0,31}:\/\//i

/** The literal text of a word, up to the first part that only the shell knows. */
function literalStart({ value, text }: CommandWord): { readonly text: string; readonly whole: boolean } {
  if (value !== null) return { text: value, whole: true }
  const start = text.replace(/^["']|["']$/g, '').split(/[$`]/, 1)[0] ?? ''
  return { text: start, whole: false }
}

/** The host of a word that must be a URL; without a scheme it is `http:`. */
export function urlHost(word: CommandWord): WordHost {
  const { text, whole } = literalStart(word)
  const full = SCHEME.test(text) ? text : `http://${text.startsWith(':') ? `localhost${text}` : text}`
  // What follows an unknown part may still belong to the host.
  if (!whole && !/^[^/]*\/\/[^/?#]+[/?#]/.test(full)) return 'unknown'
  return targetOf(full)
}

function targetOf(url: string): WordHost {
  const target = urlTarget(url)
  if (target.kind === 'host') return target
  return target.kind === 'nowhere' ? null : 'unknown'
}

const LINKS = /(?:git\+|ext\+)?[a-z][a-z0-9+.-]{1,31}:\/\/[^\s'"`<>|;,()]+/gi

/** The hosts of every URL inside a word. */
export function linkHosts({ value, text }: CommandWord): readonly WordHost[] {
  const found = (value ?? text).slice(0, LONGEST * 2).match(LINKS) ?? []
  return found.map((link) => (/^[^/]*\/\/[^/?#]*[$`]/.test(link) ? 'unknown' : targetOf(link)))
}

/** The host of `[user@]host[:port]`, or of a URL. */
export function plainHost(word: CommandWord, port: number | null): WordHost {
  const { text, whole } = literalStart(word)
  if (SCHEME.test(text)) return urlHost(word)
  if (!whole) return 'unknown'
  const at = text.lastIndexOf('@')
  const read = hostAndPort(text.slice(at + 1), port)
  return read === null ? 'unknown' : { ...read, hasCredentials: at > 0 }
}

/** The host of `host:path`, `user@host:path` or a URL; null for a local path. `bare`: a user is not required. */
export function remoteHost(word: CommandWord, bare: boolean): WordHost {
  const { text } = literalStart(word)
  if (SCHEME.test(text)) return /^file:/i.test(text) ? null : urlHost(word)
  const [, user, host] = /^([^@\s/:]+@)?(\[[^\]]*\]|[\w.-]{2,}):(?!\\)/.exec(text) ?? []
  if (host === undefined || (user === undefined && !bare)) return null
  const read = hostAndPort(host, 22)
  return read === null ? 'unknown' : { ...read, hasCredentials: true }
}

const SOCKET =
  /^(?:TCP|UDP|UDPLITE|SCTP|DCCP|OPENSSL|SSL|SOCKS4A?|SOCKS5|PROXY)(?:[46])?(?:-(?:CONNECT|SENDTO|DATAGRAM|CLIENT))?:(\[[^\]]*\]|[^:,]*)(?::(\d{1,5}))?/i

/** The host of one of socat's addresses: `TCP:host:80`. */
export function socketHost(word: CommandWord): WordHost {
  const { text, whole } = literalStart(word)
  const [found, host = '', port] = SOCKET.exec(text) ?? []
  if (found === undefined) return null
  const read = whole ? hostAndPort(port === undefined ? host : `${host}:${port}`, null) : null
  return read === null ? 'unknown' : { ...read, hasCredentials: false }
}

/** The registry of a container image: `ghcr.io` in `ghcr.io/a/b:1`. Null: the usual one. */
export function imageHost({ value }: CommandWord): WordHost {
  if (value === null) return 'unknown'
  const first = value.replace(/^docker:\/\//, '').split('/', 2)
  const name = first.length < 2 ? '' : (first[0] ?? '')
  if (!/[.:]/.test(name) && name !== 'localhost') return null
  const read = hostAndPort(name, 443)
  return read === null ? 'unknown' : { ...read, hasCredentials: false }
}

/** The host in Bash's own `/dev/tcp/host/port`. */
export function deviceHost(path: string): WordHost {
  const [found, host = '', port = ''] = /^\/dev\/(?:tcp|udp)\/([^/]*)(?:\/(\d{1,5}))?/.exec(path) ?? []
  if (found === undefined) return null
  const read = hostAndPort(host.includes(':') ? `[${host}]` : host, port === '' ? null : Number(port))
  return read === null ? 'unknown' : { ...read, hasCredentials: false }
}
