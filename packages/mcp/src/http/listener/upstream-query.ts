import { randomUUID } from 'node:crypto'
import type { JsonObject } from '@countersign/core'
import { SessionEnded } from '../../gatekeeper/call/exchange.ts'
import { idKey } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { ownMessage } from '../../wire/message-writer.ts'
import { newPosition, readEvents } from '../messages/event-stream.ts'
import { type HeaderList, someHeader } from '../messages/raw-headers.ts'
import { contentType, readBody, STREAM_TYPE } from '../messages/read-body.ts'
import type { Upstream } from '../upstream/upstream.ts'
import { withoutMessageHeaders } from './header-check.ts'

const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** Sends a request of our own to the server, with a client’s headers; throws when there is no response. */
export async function askUpstream(
  upstream: Upstream,
  headers: HeaderList,
  method: string,
  params: JsonObject,
): Promise<JsonObject> {
  const id = `countersign-${randomUUID()}`
  const answer = await upstream.open('POST', headersOf(headers, method), ownMessage(method, params, id))
  if (answer.statusCode === 404 && someHeader(headers, (name) => name === 'mcp-session-id')) {
    answer.destroy()
    throw new SessionEnded()
  }
  const why = upstream.whyRefused(answer)
  if (why !== null) {
    answer.destroy()
    throw new Error(why)
  }
  const found: JsonObject[] = []
  const take = (bytes: Buffer): void => {
    const message = readMessage(bytes)
    if (message.kind === 'response' && idKey(message.id) === JSON.stringify(id)) found.push(message.result())
  }
  try {
    if (contentType(answer) === STREAM_TYPE)
      await readEvents(answer, MAX_ANSWER_BYTES, newPosition(), ({ data }) => {
        if (data !== null) take(data)
        if (found.length > 0) answer.destroy()
      }).catch((error: unknown) => {
        if (found.length === 0) throw error
      })
    else {
      const body = await readBody(answer, MAX_ANSWER_BYTES)
      if (typeof body !== 'string') take(body)
    }
  } finally {
    answer.destroy()
  }
  const [result] = found
  if (result === undefined) throw new Error(`the server did not answer \`${method}\``)
  return result
}

/** The client’s headers for another method. */
function headersOf(headers: HeaderList, method: string): HeaderList {
  return withoutMessageHeaders(
    headers,
    someHeader(headers, (name) => name === 'mcp-method') ? ['mcp-method', method] : [],
  )
}
