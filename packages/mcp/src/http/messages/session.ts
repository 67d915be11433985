import type { Message, RawId } from '../../wire/message.ts'
import { idKey } from '../../wire/message.ts'

/** Whether a message answers this request. */
export function isAnswer(message: Message, id: RawId): boolean {
  return message.kind === 'response' && idKey(message.id) === idKey(id)
}

/** The protocol version of an `initialize` response. */
export function versionIn(message: Message): string | null {
  const bytes = message.kind === 'response' ? message.member('protocolVersion') : null
  const text = bytes === null || bytes.length > 64 ? '' : bytes.toString('latin1')
  return /^"[\w.-]{1,32}"$/.test(text) ? text.slice(1, -1) : null
}

/** A valid session id from a header. */
export function sessionIn(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && /^[\x21-\x7e]{1,1024}$/.test(header) ? header : null
}
