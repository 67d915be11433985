import type { IncomingMessage } from 'node:http'
import { type HeaderList, headerOf } from './raw-headers.ts'
import { JSON_TYPE } from './read-body.ts'

/** Headers of a single connection, or of a body that may be changed. */
const OWN =
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host content-length expect'.split(
    ' ',
  )

/**
 * Not forwarded to the server: responses must not be compressed, and the origin was checked here. SECURITY: A20 nor the
 * type of the body: the server must read it as it was read here.
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

/** SECURITY: A20 the type is set again, with the charset in which it was read here. */
const NOT_DOWN: ReadonlySet<string> = new Set([...OWN, 'content-type'])

/** Whether a body is compressed. */
export function isCompressed(answer: IncomingMessage): boolean {
  const packing = headerOf(answer, 'content-encoding')
  return packing !== undefined && packing.trim().toLowerCase() !== 'identity'
}

/** A client’s headers for the server; a message gets the type it was read as. */
export function requestHeaders(request: IncomingMessage): HeaderList {
  const headers = copied(request.rawHeaders, (name) => !NOT_UP.has(name) && !isUnderscoreVariant(name))
  if (request.method === 'POST') headers.push('content-type', JSON_TYPE)
  return headers
}

/** Why a body is refused: its headers say that its bytes mean something else; null when they do not. */
export function unsupportedBody(request: IncomingMessage): string | null {
  if (isCompressed(request)) return 'compressed messages are not supported; send it without `Content-Encoding`'
  const type = headerOf(request, 'content-type')
  if (type === undefined || type === JSON_TYPE || PLAIN_JSON.test(type)) return null
  return 'a message must be `application/json` in UTF-8'
}

const PLAIN_JSON = /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?\s*$/i

/** A server’s headers for the client, without those of the body. */
export function responseHeaders(answer: IncomingMessage): string[] {
  const headers = copied(answer.rawHeaders, (name) => !NOT_DOWN.has(name))
  for (let at = 0; at + 1 < headers.length; at += 2)
    if (headers[at] === 'www-authenticate') headers[at + 1] = withoutMetadata(headers[at + 1] ?? '')
  return headers
}

/**
 * A challenge without `resource_metadata`: that names the server’s own URL, and a client that knows the proxy’s URL
 * could not sign in with it (ADR 38).
 */
function withoutMetadata(challenge: string): string {
  return challenge
    .replace(METADATA, (_, before: string, after: string) => (before === ',' && after === ',' ? ', ' : ' '))
    .trim()
}

const METADATA = /(,?)[ \t]{0,8}\bresource_metadata[ \t]{0,8}=[ \t]{0,8}(?:"[^"]*"|[^\s,"]*)[ \t]{0,8}(,?)[ \t]{0,8}/gi

/**
 * SECURITY: A1 many servers turn headers into variables, so that `Mcp_Name` and `Mcp-Name` are the same: such a variant
 * is not forwarded. Headers of arguments may have such names, and are generated here.
 */
function isUnderscoreVariant(name: string): boolean {
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
