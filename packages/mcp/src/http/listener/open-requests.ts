import type { IncomingMessage } from 'node:http'
import type { RawId } from '../../wire/message.ts'
import { idKey } from '../../wire/message.ts'
import type { StreamPosition } from '../messages/event-stream.ts'
import type { HttpClient, OpenRequest } from './clients.ts'

/** The message for a cancelled call, in case its caller did not cancel it. */
export const CANCELLED = 'the call was cancelled'

/** INVARIANT: L10. */
const MAX_RESUMABLE = 1_000

/** Whether its client cancelled it. */
export function isCancelled({ gone }: OpenRequest): boolean {
  return gone.signal.aborted && gone.signal.reason === 'cancelled'
}

/**
 * The request that a response belongs to, on whichever stream it came: the request’s own, another, or a resumed one.
 * SECURITY: A20 a response is checked against its request wherever it comes; null when it is unclear which that is.
 */
export function findAsker(client: HttpClient, own: OpenRequest | null, id: RawId): OpenRequest | null {
  const key = idKey(id)
  if (own !== null && idKey(own.id) === key && !own.isAnswered) return own
  const waiting = [...client.open].filter((one) => !one.isAnswered && one.asked !== null && idKey(one.id) === key)
  const resumable = client.resumable.get(key)
  if (resumable !== undefined) waiting.push(resumable)
  const [only] = waiting
  if (only === undefined || waiting.length > 1) return null
  if (only === resumable) client.resumable.delete(key)
  return only
}

/** Whether a broken stream may be resumed and still bring the response; then the request is kept. */
export function mayBeResumed(request: OpenRequest, client: HttpClient, position: StreamPosition): boolean {
  if (request.isStateless || isCancelled(request) || position.lastEventId === null || request.asked === null)
    return false
  if (client.resumable.size >= MAX_RESUMABLE) return false
  client.resumable.set(idKey(request.id), request)
  return true
}

/**
 * The requests that a cancellation means. Clients that share a context all count ids from 0: there it means the single
 * request that looks like the sender’s.
 */
export function findCancelled(client: HttpClient, id: RawId, by: IncomingMessage): readonly OpenRequest[] {
  const key = idKey(id)
  const isTheirs = (one: OpenRequest): boolean => client.isSession || peerOf(one.request) === peerOf(by)
  const meant = [...client.open].filter((one) => idKey(one.id) === key && isTheirs(one))
  return client.isSession || meant.length === 1 ? meant : []
}

/** What distinguishes clients that share a context. */
function peerOf({ socket, headers }: IncomingMessage): string {
  return `${socket.remoteAddress} ${headers['user-agent']}`
}
