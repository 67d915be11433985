import type { IncomingMessage } from 'node:http'
import type { RawId } from '../../wire/message.ts'
import { idKey } from '../../wire/message.ts'
import type { StreamMark } from '../messages/event-reader.ts'
import type { HttpClient, OpenRequest } from './clients.ts'

/** What whoever waits for a cancelled call is told, should it not have been the one who cancelled it. */
export const CANCELLED = 'the call was cancelled'

/** INVARIANT: L10. */
const MAX_OWED = 1_000

/** Whether its client said that it does not want the answer. */
export function isCancelled({ gone }: OpenRequest): boolean {
  return gone.signal.aborted && gone.signal.reason === 'cancelled'
}

/**
 * The request that an answer belongs to, whichever stream it came on: that of the request (`own`), of another, or one that
 * takes a broken one up again. SECURITY: A20 an answer is looked at as what it answers, wherever it comes; null when
 * nobody waits for it, or nobody can say who does.
 */
export function findAsker(client: HttpClient, own: OpenRequest | null, id: RawId): OpenRequest | null {
  const key = idKey(id)
  if (own !== null && idKey(own.id) === key && !own.isAnswered) return own
  const waiting = [...client.open].filter((one) => !one.isAnswered && one.asked !== null && idKey(one.id) === key)
  const owed = client.owed.get(key)
  if (owed !== undefined) waiting.push(owed)
  const [only] = waiting
  if (only === undefined || waiting.length > 1) return null
  if (only === owed) client.owed.delete(key)
  return only
}

/** A stream of a session that can be taken up again may still bring the answer: then it is kept in mind. */
export function mayBeResumed(request: OpenRequest, client: HttpClient, mark: StreamMark): boolean {
  if (request.isStateless || isCancelled(request) || mark.lastEventId === null || request.asked === null) return false
  if (client.owed.size >= MAX_OWED) return false
  client.owed.set(idKey(request.id), request)
  return true
}

/**
 * The requests that a client means by a cancellation. Several clients may share a seat, and all of them count from 0:
 * there it means the one request that looks like the sender's, and none where several do.
 */
export function findCancelled(client: HttpClient, id: RawId, by: IncomingMessage): readonly OpenRequest[] {
  const key = idKey(id)
  const isTheirs = (one: OpenRequest): boolean => client.isSession || peerOf(one.request) === peerOf(by)
  const meant = [...client.open].filter((one) => idKey(one.id) === key && isTheirs(one))
  return client.isSession || meant.length === 1 ? meant : []
}

/** What little tells clients apart that share a seat. */
function peerOf({ socket, headers }: IncomingMessage): string {
  return `${socket.remoteAddress} ${headers['user-agent']}`
}
