import {
  type Clock,
  type Crypto,
  type Decision,
  type Desk,
  decisionMessage,
  type GateEvent,
  type HeldCallView,
  openView,
  type Receipt,
} from '@countersign/core'
import type { PageJournal } from './page-journal.ts'
import type { PagePolicy } from './ports/policy-texts.ts'

/** Something that a desk shows may have changed: by this tab's gate, or by another tab. */
export type DeskNews = GateEvent | { readonly kind: 'other-tab' }

/** The deciding side in a page. INVARIANT: L8, it cannot ask. Give it to the dialog, never to the agent loop. */
export interface PageDesk extends Desk {
  /** Signs a person's decision on exactly this view with the browser's key, and hands it in. */
  answer(view: HeldCallView, decision: Decision): Promise<Receipt>
  /** Calls `listener` on every event of this tab and every write of another; returns the function that unsubscribes. */
  watch(listener: (news: DeskNews) => void): () => void
  /** Replaces the policy of this tab, such as after a change of settings. Held calls are judged again. */
  usePolicy(policy: PagePolicy): void
  readonly journal: PageJournal
}

/** The browser's key: it signs, and cannot be exported. */
export interface ApproverKey {
  readonly keyId: string
  readonly publicKey: string
  sign(message: string): Promise<string>
}

/** Signs a decision with the browser's key. INVARIANT: L5, only a view whose digests are right is ever signed. */
export async function answerHeld(
  desk: Desk,
  view: HeldCallView,
  decision: Decision,
  { key, crypto, clock }: { readonly key: ApproverKey; readonly crypto: Crypto; readonly clock: Clock },
): Promise<Receipt> {
  const { body } = openView(view, crypto)
  const unsigned = {
    held: view.id,
    requestDigest: view.requestDigest,
    nonce: body.nonce,
    decision,
    approver: key.keyId,
    surface: 'page',
    at: clock.now(),
  }
  return desk.decide(view.id, { ...unsigned, signature: await key.sign(decisionMessage(unsigned)) })
}
