import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import type { ErrorCode } from '../../errors.ts'
import type { Approver, Approvers } from '../../ports/approvers.ts'
import type { Crypto } from '../../ports/crypto.ts'
import type { Arrival } from '../../ports/file-freshness.ts'
import type { HeldCall } from '../request/held-call.ts'
import { manualCode } from '../request/request.ts'
import type { GrantOffer } from '../request/view.ts'
import type { GivenScope, SignedDecision } from './decision.ts'
import { isLifetimeOffered } from './lifetimes.ts'
import { decisionMessage } from './sign.ts'

/** What a person was shown, as far as a decision is checked against it. */
type Shown = Pick<HeldCall, 'body' | 'requestDigest' | 'offers'>

/** A decision that counts, and whose it is. */
export interface Verified {
  readonly kind: 'valid'
  readonly signed: SignedDecision
  readonly approver: Approver
  /** When the gate took it, by the gate's clock. */
  readonly at?: number
  /** When it arrived in this process, if it did: the policy files were checked after that. */
  readonly arrival?: Arrival
}

type DecisionCheck = Verified | { readonly kind: 'invalid'; readonly code: ErrorCode; readonly message: string }

/**
 * Whether a decision counts for the held request: signed by an enrolled approver, over this digest and nonce, with code
 * and reason where `manual` asks for them. `signed` comes from `readSigned`, null when malformed. INVARIANT: L6, any other
 * decision does nothing, and its sender is told so.
 */
export async function verifyDecision(
  signed: SignedDecision | null,
  shown: Shown,
  approvers: Approvers,
  crypto: Crypto,
): Promise<DecisionCheck> {
  if (signed === null)
    return invalid('CS_DECISION_FORGED', 'the decision is malformed; decide again from a Countersign surface')
  const { body, requestDigest, offers } = shown
  if (signed.held !== body.held || signed.requestDigest !== requestDigest || signed.nonce !== body.nonce) {
    return invalid('CS_DECISION_MISMATCH', 'the decision is for a different request; review the call again')
  }
  const approver = await approvers.find(signed.approver)
  if (approver?.id !== signed.approver)
    return invalid('CS_DECISION_FORGED', 'the key that signed this is not an enrolled approver')
  const message = decisionMessage(signed)
  // SECURITY: A2 by the kind of the enrolled key, never by what the decision claims.
  const isSigned =
    approver.kind === 'passkey'
      ? (await approvers.verifyPasskey?.(approver, crypto.sha256(message), signed.signature)) === true
      : crypto.verify(approver.publicKey, message, signed.signature)
  if (!isSigned) return invalid('CS_DECISION_FORGED', 'the signature does not match the decision')
  const { decision } = signed
  if (decision.kind === 'approve' && body.passkey === true && approver.kind !== 'passkey')
    return invalid('CS_DECISION_PASSKEY', 'the policy requires a passkey at this risk; approve with one in the inbox')
  if (decision.kind === 'approve' && body.supervision === 'manual') {
    if (decision.code !== manualCode(requestDigest)) {
      return invalid('CS_DECISION_CODE', 'type the code that is shown with the details')
    }
    if (!decision.reason?.trim())
      return invalid('CS_DECISION_CODE', 'give a reason: this call is under manual supervision')
  }
  if (decision.grant !== undefined && !isOffered(signed, offers)) {
    return invalid('CS_GRANT_SCOPE', 'that grant was not offered for this call; choose one of the scopes shown')
  }
  return { kind: 'valid', signed, approver }
}

/** SECURITY: A11 only a scope, a kind of lifetime and bounds that were shown may be granted. */
function isOffered(signed: SignedDecision, offers: Shown['offers']): boolean {
  const { grant, kind, edited } = signed.decision
  return grant !== undefined && kind === 'approve' && edited === undefined && findOffer(grant, offers) !== undefined
}

/** The offer that a grant was chosen from. */
export function findOffer(grant: GivenScope, offers: readonly GrantOffer[]): GrantOffer | undefined {
  return offers.find(
    (offer) =>
      isSame(offer.scope, grant.scope) &&
      isSame(offer.bounds ?? null, grant.bounds ?? null) &&
      isLifetimeOffered(grant.lifetime, offer.lifetimes),
  )
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one as Json) === canonicalJson(other as Json)
}

function invalid(code: ErrorCode, message: string): DecisionCheck {
  return { kind: 'invalid', code, message }
}
