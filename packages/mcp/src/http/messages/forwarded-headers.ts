import type { IncomingMessage } from 'node:http'
import { type HeaderList, headerOf } from './raw-headers.ts'
import { JSON_TYPE } from './read-body.ts'

/** Headers that speak of one connection, or of a body that may come out otherwise. */
const OWN =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host content-length expect'.split(
    ' ',
  )

/**
 * Not passed to the server: it answers unpacked, and the page's origin was checked here. SECURITY: A20 nor how a body is
 * to be read: it is read by the server as it was read here.
 */
const NOT_UP: ReadonlySet<string> = new Set([
  ...OWN,
  'accept-encoding',
  'origin',
  'referer',
  'cookie',
  'content-type',
  'content-encoding',
])

/** SECURITY: A20 the type is told again: in no other charset than it was read in here. */
const NOT_DOWN: ReadonlySet<string> = new Set([...OWN, 'content-type'])

/** Whether a body is not what its bytes say. */
export function isPacked(answer: IncomingMessage): boolean {
  const packing = headerOf(answer, 'content-encoding')
  return packing !== undefined && packing.trim().toLowerCase() !== 'identity'
}

/** A client's headers for the server; with a message, the type that it was read as. */
export function headersUp(request: IncomingMessage): HeaderList {
  const headers = copied(request.rawHeaders, (name) => !NOT_UP.has(name) && !isTwin(name))
  if (request.method === 'POST') headers.push('content-type', JSON_TYPE)
  return headers
}

/** Why a message is not taken: its sender says that its bytes mean something else than they do here; null when not. */
export function oddBody(request: IncomingMessage): string | null {
  if (isPacked(request)) return 'a message that is packed is not taken; send it without `Content-Encoding`'
  const type = headerOf(request, 'content-type')
  if (type === undefined || type === JSON_TYPE || PLAIN_JSON.test(type)) return null
  return 'a message is `application/json` in UTF-8; send it as that'
}

const PLAIN_JSON = /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i

/** A server's headers for the client, without those of its body. */
export function headersDown(answer: IncomingMessage): string[] {
  const headers = copied(answer.rawHeaders, (name) => !NOT_DOWN.has(name))
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

/**
 * SECURITY: A1 many servers make variables of headers, and `Mcp_Name` and `Mcp-Name` the same one: what is compared, or kept
 * here, under the one does not go up under the other. Headers of arguments may have such names, and are made again.
 */
function isTwin(name: string): boolean {
  if (!name.includes('_') || name.startsWith('mcp-param-')) return false
  const meant = name.replaceAll('_', '-')
  return meant.startsWith('mcp-') || NOT_UP.has(meant)
}

function copied(raw: readonly string[], passes: (name: string) => boolean): string[] {
  const headers: string[] = []
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    if (passes(name)) headers.push(name, raw[at + 1] ?? '')
  }
  return headers
}
