import { type Decision, decisionMessage, type HeldCallView, type Receipt } from '@countersign/core'
import { sha256, verifyView } from '../call/verified-view.ts'
import type { BrowserKey } from './browser-key.ts'
import { errorMessageIn, exchange } from './service-client.ts'

/**
 * Signs one decision with a passkey. `messageFor` returns the challenge for an approver, a SHA-256 in hex. The
 * signature is the assertion as JSON.
 */
export type PasskeySigner = (
  messageFor: (approver: string) => string,
) => Promise<{ readonly approver: string; readonly signature: string }>

/**
 * The service did not respond to a decision, which may still have arrived. Never report this as “nothing was decided”.
 */
export class LostDecision extends Error {
  constructor() {
    super(
      'The service did not respond, so your decision may or may not have arrived. This card shows the result once the connection is back.',
    )
  }
}

interface Submission {
  /** Null if this browser's key is not enrolled. */
  readonly key: () => Promise<BrowserKey | null>
  readonly passkey: PasskeySigner | undefined
  readonly surface: string
  readonly at: number
}

/** Signs and sends a decision. Rejects with the reason it failed, or with a `LostDecision`. */
export async function submitDecision(view: HeldCallView, decision: Decision, by: Submission): Promise<Receipt> {
  const held = verifyView(view)
  // INVARIANT: L5, only a view that was verified here is ever signed.
  if (held.kind === 'mismatch') throw new Error(held.message)
  const { nonce, passkey } = held.opened.body
  const { surface, at } = by
  const unsigned = { held: view.id, requestDigest: view.requestDigest, nonce, decision, surface, at }
  const messageOf = (approver: string): string => decisionMessage({ ...unsigned, approver })
  const isRequired = passkey === true && decision.kind === 'approve'
  const key = isRequired ? null : await by.key()
  const signed = {
    ...unsigned,
    ...(await (key === null ? byPasskey(messageOf, by.passkey, isRequired) : byKey(messageOf, key))),
  }
  return deliver(view.id, signed)
}

/** Sends a signed decision. Rejects with the service's message or with a `LostDecision`. */
export async function deliver(held: string, signed: unknown): Promise<Receipt> {
  const options = { method: 'POST', body: signed, isBounded: true } as const
  const { body } = await exchange(`/held/${encodeURIComponent(held)}/decision`, options).catch((cause: unknown) => {
    throw Object.assign(new LostDecision(), { cause })
  })
  if (isReceipt(body)) {
    // The decision was refused and the call is still held; the message has the reason.
    if (!body.accepted && body.state === 'held') throw new Error(body.message)
    return body
  }
  const message = errorMessageIn(body)
  // A response that is not from the service, such as a proxy error, tells nothing about the decision.
  throw message === undefined ? new LostDecision() : new Error(message)
}

async function byKey(messageOf: (approver: string) => string, key: BrowserKey) {
  return { approver: key.keyId, signature: await key.sign(messageOf(key.keyId)) }
}

async function byPasskey(
  messageOf: (approver: string) => string,
  sign: PasskeySigner | undefined,
  isRequired: boolean,
) {
  if (sign === undefined) {
    const why = isRequired ? 'policy requires a passkey for this call' : 'this browser’s key is not enrolled'
    throw new Error(`${why}; decide it in the inbox`)
  }
  return sign((approver) => sha256(messageOf(approver)))
}

function isReceipt(value: unknown): value is Receipt {
  return typeof value === 'object' && value !== null && 'accepted' in value && 'state' in value && 'held' in value
}
