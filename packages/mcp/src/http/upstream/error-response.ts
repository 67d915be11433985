import type { IncomingMessage } from 'node:http'
import { skipSpace } from '../../json/value-skipper.ts'
import type { RawId } from '../../wire/message.ts'
import { idKey } from '../../wire/message.ts'
import { readMessage } from '../../wire/message-parser.ts'
import { errorResponse, RPC } from '../../wire/message-writer.ts'
import { dropBody } from '../messages/discard-body.ts'
import { oneLine } from '../messages/event-stream.ts'
import { readBody } from '../messages/read-body.ts'

export const MAX_ERROR_BYTES = 1024 * 1024

/**
 * The answer to a request that the server met with a status: its own error where it gave one, under the request's id. `why`
 * is what we know better: how to sign in.
 */
export async function refusedAnswer(answer: IncomingMessage, id: RawId, why: string | null = null): Promise<Buffer> {
  const status = answer.statusCode ?? 0
  if (why !== null) {
    dropBody(answer)
    return errorResponse(id, RPC.lost, why)
  }
  return (await ownError(answer, id)) ?? errorResponse(id, RPC.lost, statusText(status))
}

/** Where what a server says to one request of a client on a pipe goes. */
export interface AnswerEnds {
  tell(bytes: Buffer): void
  lost(id: RawId, why: string): void
}

/**
 * Tells a client on a pipe of such an answer. INVARIANT: L7, a server that gave no error of its own has refused only with a
 * status that says so; after any other it may have done what it was asked.
 */
export async function tellRefused(
  answer: IncomingMessage,
  id: RawId,
  why: string | null,
  { tell, lost }: AnswerEnds,
): Promise<void> {
  const { statusCode = 0 } = answer
  if (why !== null || isRefusal(statusCode)) return tell(oneLine(await refusedAnswer(answer, id, why)))
  const own = await ownError(answer, id)
  if (own === null) lost(id, statusText(statusCode))
  else tell(oneLine(own))
}

/**
 * Whether a status says that the server did not take what it was asked. A redirect does not: some send one when they are
 * done.
 */
export function isRefusal(status: number): boolean {
  return status >= 400 && status < 500
}

/** The error that a server gave itself, under the request's id; null when it gave none. */
async function ownError(answer: IncomingMessage, id: RawId): Promise<Buffer | null> {
  const body = await readBody(answer, MAX_ERROR_BYTES)
  const message = typeof body === 'string' ? null : readMessage(oneLine(body))
  if (message?.kind !== 'response' || !message.failed) return null
  if (idKey(message.id) === idKey(id)) return message.bytes
  const [code, text] = [numberOf(message.member('code')), message.member('message')]
  return code === null || text === null ? null : withError(id, code, text, message.member('data'))
}

/** Whether it begins like a message, or several. */
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

/** What a status means to whoever set the server up. */
export function statusText(status: number): string {
  if (status === 401 || status === 403)
    return `the server refused with ${status}: give it what it wants with \`--header\` or in \`COUNTERSIGN_MCP_HEADERS\``
  if (status >= 300 && status < 400) return `the server answered ${status}: give \`--url\` the address it moved to`
  if (status === 404 || status === 405) return `the server answered ${status}: check the path of \`--url\``
  return `the server answered ${status}`
}
