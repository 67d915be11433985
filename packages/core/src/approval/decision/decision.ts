import type { JsonObject } from '../../call/json/json.ts'
import type { GrantScope, OfferedLifetime } from '../../policy/model/grant.ts'

/** What a person decided. */
export interface Decision {
  readonly kind: 'approve' | 'reject'
  readonly reason?: string
  /** Other arguments than were asked for: a new call, judged again before it runs. */
  readonly edited?: JsonObject
  readonly grant?: { readonly scope: GrantScope; readonly lifetime: OfferedLifetime }
  /** The short code shown with the details: needed to approve at `manual`. */
  readonly code?: string
}

/** A decision with the approver's signature over exactly what was shown. */
export interface SignedDecision {
  readonly held: string
  readonly requestDigest: string
  readonly nonce: string
  readonly decision: Decision
  readonly approver: string
  /** `terminal`, `cli`, `web`, … */
  readonly surface: string
  readonly at: number
  /** Over `decisionMessage`: base64 Ed25519, or the JSON of a passkey’s assertion. */
  readonly signature: string
}

/** Answer to a decision: what became of it, and who decided if it was not this one. */
export interface Receipt {
  readonly held: string
  readonly accepted: boolean
  /** `approved`, `rejected`, `expired`, … */
  readonly state: string
  readonly by: string | null
  readonly at: number
  readonly message: string
  /** Where a person edited the arguments: what runs in the place of what was asked for, in one redacted line. */
  readonly instead?: string
}
