import type { IncomingMessage } from 'node:http'
import { errorAnswer, RPC } from '../answers.ts'
import { idKey } from '../id-key.ts'
import type { RawId } from '../message.ts'
import { readMessage } from '../read-message.ts'
import { oneLine } from './event-stream.ts'
import { readBody } from './upstream.ts'

const MOST_ERROR_BYTES = 1024 * 1024

/** The answer to a request that the server met with a status: its own error where it gave one, under the request's id. */
export async function refusedAnswer(answer: IncomingMessage, id: RawId): Promise<Buffer> {
  const status = answer.statusCode ?? 0
  const body = await readBody(answer, MOST_ERROR_BYTES).catch(() => null)
  const message = body === null ? null : readMessage(oneLine(body))
  if (message?.kind === 'response' && message.failed) {
    if (idKey(message.id) === idKey(id)) return message.bytes
    const [code, text] = [numberOf(message.member('code')), message.member('message')]
    if (code !== null && text !== null) return withError(id, code, text, message.member('data'))
  }
  return errorAnswer(id, RPC.lost, statusText(status))
}

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
    return `the server refused with ${status}: give it what it wants with \`--header "Authorization: …"\``
  if (status === 404 || status === 405) return `the server answered ${status}: check the path of \`--url\``
  return `the server answered ${status}`
}
