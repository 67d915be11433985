import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import type { Signer } from '../../ports/crypto.ts'
import type { OpenedView } from '../request/verified-view.ts'
import type { Decision, SignedDecision } from './decision.ts'

type Unsigned = Omit<SignedDecision, 'signature'>

/** The bytes an approver signs: digest, decision and nonce, with who, where and when. */
export function decisionMessage(signed: Unsigned): string {
  return `countersign/decision/v1\n${leading(signed)},"surface":${canonicalJson(signed.surface)}}`
}

/** A signed decision in canonical JSON. */
export function signedText(signed: SignedDecision): string {
  const { signature, surface } = signed
  return `${leading(signed)},"signature":${canonicalJson(signature)},"surface":${canonicalJson(surface)}}`
}

/** The fields before `signature` and `surface`, in canonical order. Written by hand for speed: a person waits. */
function leading({ approver, at, decision, held, nonce, requestDigest }: Unsigned): string {
  return (
    `{"approver":${canonicalJson(approver)},"at":${canonicalJson(at)}` +
    `,"decision":${canonicalJson(decision as unknown as Json)},"held":${canonicalJson(held)}` +
    `,"nonce":${canonicalJson(nonce)},"requestDigest":${canonicalJson(requestDigest)}`
  )
}

/** Signs a decision about exactly this view. */
export function signDecision(
  opened: OpenedView,
  decision: Decision,
  signer: Signer,
  context: { readonly surface: string; readonly at: number },
): SignedDecision {
  const unsigned = {
    held: opened.view.id,
    requestDigest: opened.view.requestDigest,
    nonce: opened.body.nonce,
    decision,
    approver: signer.keyId,
    surface: context.surface,
    at: context.at,
  }
  return { ...unsigned, signature: signer.sign(decisionMessage(unsigned)) }
}
