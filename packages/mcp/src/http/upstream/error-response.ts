import type { IncomingMessage } from 'node:http'
import { skipSpace } from '../../json/value-skipper.ts'
import type { RawId } from '../../wire/message.ts'
import { idKey } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { errorResponse, RPC } from '../../wire/message-writer.ts'
import { oneLine } from '../messages/event-stream.ts'
import { discardBody, readBody } from '../messages/read-body.ts'

export const MAX_ERROR_BYTES = 1024 * 1024

/**
 * The response to a request that the server refused by status: its own error if it sent one, under the request’s id.
 * `why` is better advice if we have some.
 */
export async function refusalResponse(answer: IncomingMessage, id: RawId, why: string | null = null): Promise<Buffer> {
  const status = answer.statusCode ?? 0
  if (why !== null) {
    discardBody(answer)
    return errorResponse(id, RPC.lost, why)
  }
  return (await ownError(answer, id)) ?? errorResponse(id, RPC.lost, statusText(status))
}

/** Where the response to a stdio client goes. */
export interface ResponseSink {
  tell(bytes: Buffer): void
  lost(id: RawId, why: string): void
}

/**
 * Reports a refusal to a stdio client. INVARIANT: L7, without an error of its own, a server refused only by a 4xx
 * status; after any other it may have run the call.
 */
export async function reportRefusal(
  answer: IncomingMessage,
  id: RawId,
  why: string | null,
  { tell, lost }: ResponseSink,
): Promise<void> {
  const { statusCode = 0 } = answer
  if (why !== null || isRefusal(statusCode)) return tell(oneLine(await refusalResponse(answer, id, why)))
  const own = await ownError(answer, id)
  if (own === null) lost(id, statusText(statusCode))
  else tell(oneLine(own))
}

/** Whether a status means that the server did not run the request. A redirect does not. */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500
}

/** The server’s own error under the request’s id; null when it sent none. */
async function ownError(answer: IncomingMessage, id: RawId): Promise<Buffer | null> {
  const body = await readBody(answer, MAX_ERROR_BYTES)
  const message = typeof body === 'string' ? null : readMessage(oneLine(body))
  if (message?.kind !== 'response' || !message.failed) return null
  if (idKey(message.id) === idKey(id)) return message.bytes
  const [code, text] = [numberOf(message.member('code')), message.member('message')]
  return code === null || text === null ? null : withError(id, code, text, message.member('data'))
}

/** Whether it looks like one or more messages. */
export function looksLikeJson(bytes: Buffer): boolean {
  const from = bytes.subarray(0, 3).equals(BOM) ? 3 : 0
  const first = bytes[skipSpace(bytes, from)]
  return first === OPEN_OBJECT || first === OPEN_ARRAY
}

const BOM = Buffer.from([0xef, 0xbb, 0xbf])
const OPEN_OBJECT = 0x7b
const OPEN_ARRAY = 0x5b

function withError(id: RawId, code: number, text: Buffer, data: Buffer | null): Buffer {
  const more = data === null ? '' : `,"data":${data.toString('utf8')}`
  return Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":{"code":${code},"message":${text.toString('utf8')}${more}}}`)
}

function numberOf(bytes: Buffer | null): number | null {
  const number = bytes === null || bytes.length > 16 ? Number.NaN : Number(bytes.toString('latin1'))
  return Number.isInteger(number) ? number : null
}

/** What a status means for whoever configured the server. */
export function statusText(status: number): string {
  if (status === 401 || status === 403)
    return `the server refused with ${status}: pass the credentials it requires with \`--header\` or in \`COUNTERSIGN_MCP_HEADERS\``
  if (status >= 300 && status < 400) return `the server answered ${status}: pass the URL it moved to with \`--url\``
  if (status === 404 || status === 405) return `the server answered ${status}: check the path of \`--url\``
  return `the server answered ${status}`
}
