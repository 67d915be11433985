import { disguisedName, knownNames } from '../json/member-scanner.ts'
import type { Malformed, RpcNotification } from './message.ts'

const KNOWN = knownNames('requestId', 'reason', '_meta')

/** Whether a notification takes a request back. */
export function isCancellation({ method }: RpcNotification): boolean {
  return method === 'notifications/cancelled'
}

/**
 * Why a cancellation is not taken; null when it is. SECURITY: A1 where it names a request in two ways, the server might read
 * that another one is meant than we do.
 */
export function oddCancellation(message: RpcNotification): Malformed | null {
  const members = message.members()
  const odd = members === null ? null : (members.repeated ?? disguisedName(members, KNOWN))
  if (odd === null) return null
  const shown = JSON.stringify(odd.slice(0, 64)).slice(1, -1)
  return { kind: 'malformed', code: 'duplicate-key', id: null, message: `\`${shown}\` can be read in two ways` }
}
