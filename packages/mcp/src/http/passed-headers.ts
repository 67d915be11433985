import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'

/** Headers that speak of one connection, or of a body that may come out otherwise. */
const OWN: ReadonlySet<string> = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host content-length expect'.split(
    ' ',
  ),
)

/** Not passed to the server: it answers unpacked, and the page's origin was checked here. */
const NOT_UP: ReadonlySet<string> = new Set(['accept-encoding', 'origin', 'referer', 'cookie'])

/** SECURITY: A20 in no other charset than it was read in here. */
export const JSON_TYPE = { 'content-type': 'application/json' } as const
export const STREAM_TYPE = { 'content-type': 'text/event-stream' } as const

/** Whether a body is not what its bytes say. */
export function isPacked({ headers }: IncomingMessage): boolean {
  const packing = headers['content-encoding']
  return packing !== undefined && packing.trim().toLowerCase() !== 'identity'
}

/** A client's headers for the server. */
export function headersUp(request: IncomingMessage): OutgoingHttpHeaders {
  return copied(request.rawHeaders, (name) => !OWN.has(name) && !NOT_UP.has(name))
}

/** A server's headers for the client. The length of a body that passes as it is stays. */
export function headersDown(answer: IncomingMessage, keepsLength: boolean): OutgoingHttpHeaders {
  return copied(answer.rawHeaders, (name) => !OWN.has(name) || (keepsLength && name === 'content-length'))
}

function copied(raw: readonly string[], passes: (name: string) => boolean): OutgoingHttpHeaders {
  const headers: Record<string, string | string[]> = {}
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? '').toLowerCase()
    const value = raw[at + 1] ?? ''
    if (!passes(name)) continue
    const before = headers[name]
    headers[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]
  }
  return headers
}
