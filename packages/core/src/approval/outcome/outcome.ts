import type { ErrorCode } from '../../errors.ts'
import type { RuleRef } from '../../policy/model/verdict.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { StoredCall } from '../../ports/store.ts'
import type { RiskLevel } from '../../risk/report/level.ts'
import { readTrace } from '../decision/stored-decision.ts'

/** How a call ended. `refused` is the gate's own refusal: bad arguments, full queue, failing store. */
export const OUTCOMES = [
  'completed',
  'failed',
  'denied',
  'rejected',
  'expired',
  'withdrawn',
  'stale',
  'released',
  'refused',
  'unknown',
] as const

/** One of `OUTCOMES`. */
export type Outcome = (typeof OUTCOMES)[number]

/** The call did not run, and why, in words a model can act on. */
export interface Refusal {
  readonly kind: 'refusal'
  readonly callId: string
  readonly outcome: 'denied' | 'rejected' | 'expired' | 'withdrawn' | 'stale' | 'refused' | 'unknown'
  readonly code: ErrorCode
  /** One line for people and models alike. */
  readonly message: string
  /** The approver's words, when a person rejected. */
  readonly reason: string | null
  readonly rule: RuleRef | null
  /** What made it risky, and the rule that decided; absent where the call was not judged. */
  readonly risk?: RefusedRisk
}

/** The risk of a refused call, in words a model can act on. Secrets are covered. */
export interface RefusedRisk {
  readonly level: RiskLevel
  readonly reasons: readonly string[]
  /** Of a compound command, the part with this risk. */
  readonly part: string | null
  readonly rule: RuleRef
}

/** Makes a refusal. */
export function refusal(
  callId: string,
  outcome: Refusal['outcome'],
  code: ErrorCode,
  message: string,
  more: { readonly reason?: string | null; readonly rule?: RuleRef | null } = {},
): Refusal {
  return { kind: 'refusal', callId, outcome, code, message, reason: more.reason ?? null, rule: more.rule ?? null }
}

/** The refusal of a call whose id is another one's. */
export function otherCall(id: string): Refusal {
  return refusal(id, 'refused', 'CS_CALL_DUPLICATE', `another call was asked under the id \`${id}\`; use a new id`)
}

/** The refusal of a call that is already over, from its row. */
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
      return refusal(row.id, 'unknown', 'CS_PERMIT_SPENT', 'this call was already started; it is not run again')
    default:
      return refusal(row.id, 'refused', 'CS_PERMIT_SPENT', `this call is over (${row.outcome}); it is not run again`)
  }
}
