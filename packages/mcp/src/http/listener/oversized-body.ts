import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorResponse, RPC } from '../../wire/message-writer.ts'

/** How long a sender may go on after it was told. */
const PATIENCE_MS = 5_000

/**
 * Refuses a body that is too long. Whoever sends it may look for an answer only when all is sent, and a closed connection
 * would take the answer away: so the rest is read and thrown away, up to a bound.
 */
export function refuseLong(request: IncomingMessage, response: ServerResponse, maxBytes: number): void {
  const body = errorResponse(null, RPC.request, 'the message is too large')
  const headers = { 'content-type': 'application/json', 'content-length': body.length, connection: 'close' }
  response.writeHead(413, headers).write(body)
  let size = 0
  const end = (): void => {
    clearTimeout(timer)
    response.end() // and with it the connection, once the answer is out
  }
  const timer = setTimeout(end, PATIENCE_MS)
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) end()
  })
  request.once('end', end)
  request.once('close', end)
  request.resume()
}
