import type { Crypto } from '../../ports/crypto.ts'
import type { StoredCall } from '../../ports/store.ts'
import { readTrace } from '../decision/stored-decision.ts'
import { type Refusal, refusal } from './refusal.ts'

/** What became of a call that is over, told again. */
export function pastRefusal(row: StoredCall, crypto: Crypto): Refusal {
  switch (row.outcome) {
    case 'denied':
      return refusal(row.id, 'denied', 'CS_DENIED', `policy rule \`${row.rule}\` denies this call`)
    case 'rejected': {
      const reason = readTrace(row.decision, crypto)?.reason ?? null
      return refusal(row.id, 'rejected', 'CS_REJECTED', 'a person rejected this call', { reason })
    }
    case 'expired':
      return refusal(row.id, 'expired', 'CS_EXPIRED', 'nobody decided before the deadline')
    case 'withdrawn':
      return refusal(row.id, 'withdrawn', 'CS_WITHDRAWN', 'the call was withdrawn')
    case 'stale':
      return refusal(row.id, 'stale', 'CS_STALE', 'a target or the policy changed after the call was shown; ask again')
    case 'unknown':
    case null:
      return refusal(row.id, 'unknown', 'CS_PERMIT_SPENT', 'this call was started before; it is not run again')
    default:
      return refusal(row.id, 'refused', 'CS_PERMIT_SPENT', `this call is over (${row.outcome}); it is not run again`)
  }
}
