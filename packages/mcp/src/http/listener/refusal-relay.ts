import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import type { RawId } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { errorResponse, RPC } from '../../wire/message-writer.ts'
import { dropBody } from '../messages/discard-body.ts'
import { headersDown } from '../messages/forwarded-headers.ts'
import { JSON_TYPE, readBody } from '../messages/read-body.ts'
import { looksLikeJson, MAX_ERROR_BYTES, refusedAnswer, statusText } from '../upstream/error-response.ts'
import type { Reply } from './reply.ts'

/**
 * Passes the refusal of a server: its status, and what it says of it. SECURITY: A20 clients read the body of a refusal, too:
 * a result in it would be one that nobody looked at; and they follow a redirect past the gate. INVARIANT: it is read from
 * now on, and told once `ready`: a body that ends before anybody listens is waited for in vain.
 */
export async function passRefusal(
  answer: IncomingMessage,
  reply: Reply,
  id: RawId | null,
  ready: Promise<void>,
): Promise<void> {
  const status = answer.statusCode ?? 502
  if (reply.isStream && id !== null) {
    const [said] = await Promise.all([refusedAnswer(answer, id), ready])
    return reply.finish(200, said)
  }
  if (status < 400) {
    dropBody(answer)
    await ready
    return reply.fail(502, id, RPC.lost, statusText(status))
  }
  const [body] = await Promise.all([readBody(answer, MAX_ERROR_BYTES), ready])
  const headers = headersDown(answer)
  if (typeof body !== 'string' && !mayBeResult(body))
    return reply.finish(status, body, headers, looksLikeJson(body) ? JSON_TYPE : TEXT_TYPE)
  reply.finish(status, errorResponse(id, RPC.lost, statusText(status)), headers)
}

const TEXT_TYPE = 'text/plain; charset=utf-8'

/** Whether some reader may find a result in it. */
function mayBeResult(body: Buffer): boolean {
  if (!isUtf8(body) || body.includes(0)) return true
  if (!looksLikeJson(body)) return false
  const message = readMessage(body)
  if (message.kind === 'response') return !message.failed
  if (message.kind !== 'malformed') return true
  try {
    const said: unknown = JSON.parse(body.toString('utf8').replace(/^\ufeff/, ''))
    return Array.isArray(said) || Object.keys(said ?? {}).some((name) => name.toLowerCase() === 'result')
  } catch {
    return false
  }
}
