import { type Decision, decisionMessage, type HeldCallView, type Receipt } from '@countersign/core'
import { sha256, verifyView } from '../call/verified-view.ts'
import type { BrowserKey } from './browser-key.ts'
import { errorMessageIn, exchange } from './service-client.ts'

/**
 * Signs one decision with a passkey. `messageFor` gives the SHA-256 (hex) that an approver's passkey must answer as its
 * challenge; the signature is the JSON of the assertion.
 */
export type PasskeySigner = (
  messageFor: (approver: string) => string,
) => Promise<{ readonly approver: string; readonly signature: string }>

/** A decision was sent and nobody answered: it may have arrived, and may still. Never told as “nothing was decided”. */
export class LostDecision extends Error {
  constructor() {
    super(
      'The service did not answer: it is not known whether the decision arrived. The card shows it once the connection is back.',
    )
  }
}

interface Submission {
  /** Null where this browser's key may not decide. */
  readonly key: () => Promise<BrowserKey | null>
  readonly passkey: PasskeySigner | undefined
  readonly surface: string
  readonly at: number
}

/** Signs a decision and sends it; gives the receipt, or says why nothing was decided, or that it is not known. */
export async function submitDecision(view: HeldCallView, decision: Decision, by: Submission): Promise<Receipt> {
  const held = verifyView(view)
  // INVARIANT: L5, only a view whose digests were computed again here is ever signed for.
  if (held.kind === 'mismatch') throw new Error(held.message)
  const { nonce, passkey } = held.opened.body
  const { surface, at } = by
  const unsigned = { held: view.id, requestDigest: view.requestDigest, nonce, decision, surface, at }
  const messageOf = (approver: string): string => decisionMessage({ ...unsigned, approver })
  const isDemanded = passkey === true && decision.kind === 'approve'
  const key = isDemanded ? null : await by.key()
  const signed = {
    ...unsigned,
    ...(await (key === null ? byPasskey(messageOf, by.passkey, isDemanded) : byKey(messageOf, key))),
  }
  return deliver(view.id, signed)
}

/** Sends what is signed. Rejects with words of the service's own, or as lost: nothing else is known. */
export async function deliver(held: string, signed: unknown): Promise<Receipt> {
  // Bounded: then it is called back as far as it can be, and nothing is said for sure.
  const question = { method: 'POST', body: signed, isBounded: true } as const
  const { said } = await exchange(`/held/${encodeURIComponent(held)}/decision`, question).catch((cause: unknown) => {
    throw Object.assign(new LostDecision(), { cause })
  })
  if (isReceipt(said)) {
    // It is still held: the decision did not count, and the message says why.
    if (!said.accepted && said.state === 'held') throw new Error(said.message)
    return said
  }
  const words = errorMessageIn(said)
  // What is no answer of the service's own, a proxy's page for instance, tells nothing about the decision.
  throw words === undefined ? new LostDecision() : new Error(words)
}

async function byKey(messageOf: (approver: string) => string, key: BrowserKey) {
  return { approver: key.keyId, signature: await key.sign(messageOf(key.keyId)) }
}

async function byPasskey(
  messageOf: (approver: string) => string,
  sign: PasskeySigner | undefined,
  isDemanded: boolean,
) {
  if (sign === undefined) {
    const why = isDemanded ? 'policy demands a passkey for this call' : 'this browser’s key may not decide'
    throw new Error(`${why}; decide it in the inbox`)
  }
  return sign((approver) => sha256(messageOf(approver)))
}

function isReceipt(value: unknown): value is Receipt {
  return typeof value === 'object' && value !== null && 'accepted' in value && 'state' in value && 'held' in value
}
