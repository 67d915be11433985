import { canonicalJson } from '../call/canonical.ts'
import type { Json } from '../call/json.ts'
import type { Signer } from '../ports/crypto.ts'
import type { Decision, SignedDecision } from './decision.ts'
import type { OpenedView } from './view.ts'

/** The bytes an approver signs: digest, decision and nonce, with who, where and when. */
export function decisionMessage(signed: Omit<SignedDecision, 'signature'>): string {
  const { held, requestDigest, nonce, decision, approver, surface, at } = signed
  const body = { approver, at, decision, held, nonce, requestDigest, surface }
  return `countersign/decision/v1\n${canonicalJson(body as unknown as Json)}`
}

/** Signs a decision about exactly the view that was opened. */
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
