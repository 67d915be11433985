import type { IncomingMessage } from 'node:http'
import { type HeaderList, headerOf } from './header-list.ts'

/** Headers that speak of one connection, or of a body that may come out otherwise. */
const OWN =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host content-length expect'.split(
    ' ',
  )

/** Not passed to the server: it answers unpacked, and the page's origin was checked here. */
const NOT_UP: ReadonlySet<string> = new Set([...OWN, 'accept-encoding', 'origin', 'referer', 'cookie'])

/** SECURITY: A20 the type is told anew: in no other charset than it was read in here. */
const NOT_DOWN: ReadonlySet<string> = new Set([...OWN, 'content-type'])

/** Whether a body is not what its bytes say. */
export function isPacked(answer: IncomingMessage): boolean {
  const packing = headerOf(answer, 'content-encoding')
  return packing !== undefined && packing.trim().toLowerCase() !== 'identity'
}

/** A client's headers for the server. */
export function headersUp(request: IncomingMessage): HeaderList {
  return copied(request.rawHeaders, NOT_UP)
}

/** A server's headers for the client, without those of its body. */
export function headersDown(answer: IncomingMessage): string[] {
  const headers = copied(answer.rawHeaders, NOT_DOWN)
  for (let at = 0; at + 1 < headers.length; at += 2)
    if (headers[at] === 'www-authenticate') headers[at + 1] = withoutMetadata(headers[at + 1] ?? '')
  return headers
}

/**
 * A challenge without the place where the server describes itself: it does so under its own address, and a client that was
 * given the proxy's would sign in for nothing, or find that the two do not fit (ADR 38).
 */
function withoutMetadata(challenge: string): string {
  return challenge
    .replace(METADATA, (_, before: string, after: string) => (before === ',' && after === ',' ? ', ' : ' '))
    .trim()
}

const METADATA = /(,?)[ \t]{0,8}\bresource_metadata[ \t]{0,8}=[ \t]{0,8}(?:"[^"]*"|[^\s,"]*)[ \t]{0,8}(,?)[ \t]{0,8}/gi

function copied(raw: readonly string[], without: ReadonlySet<string>): string[] {
  const headers: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (!without.has(name)) headers.push(name, raw[at + 1] ?? '')
  }
  return headers
}
