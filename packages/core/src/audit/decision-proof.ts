import { readSigned } from '../approval/decision/decision.ts'
import { decisionMessage } from '../approval/decision/sign.ts'
import type { JournalEntry } from '../journal/entry.ts'
import type { Approver, Approvers } from '../ports/approvers.ts'
import type { Crypto } from '../ports/crypto.ts'

/** How far the signature of a recorded decision can be checked from its entry alone. */
export type DecisionProof =
  | 'signed'
  /** What was signed contains a secret that the journal does not. */
  | 'redacted'
  /** Recorded by a version that did not keep the nonce. */
  | 'no-nonce'
  | 'no-key'
  | 'forged'

/** What checking a decision needs. */
export interface DecisionTools {
  readonly crypto: Pick<Crypto, 'sha256' | 'verify'>
  readonly verifyPasskey?: Approvers['verifyPasskey']
}

/** Checks the signature of a `decided` entry with the key of its approver. */
export async function proveDecision(
  entry: JournalEntry,
  approver: Approver | undefined,
  tools: DecisionTools,
): Promise<DecisionProof> {
  if (entry['nonce'] === undefined) return 'no-nonce'
  const signed = signedIn(entry)
  if (signed === null) return 'forged'
  if (approver === undefined) return 'no-key'
  const message = decisionMessage(signed)
  const isSigned =
    approver.kind === 'passkey'
      ? (await tools.verifyPasskey?.(approver, tools.crypto.sha256(message), signed.signature)) === true
      : tools.crypto.verify(approver.publicKey, message, signed.signature)
  if (isSigned) return 'signed'
  return isRedacted(entry) ? 'redacted' : 'forged'
}

function signedIn(entry: JournalEntry) {
  const { decision: kind, reason, code, edited, grant, call, request, nonce, key, surface, signedAt, signature } = entry
  return readSigned({
    held: call,
    requestDigest: request,
    nonce,
    approver: key,
    surface,
    at: signedAt,
    signature,
    decision: {
      kind,
      ...(reason === null ? {} : { reason }),
      ...(code === undefined ? {} : { code }),
      ...(edited === null ? {} : { edited }),
      ...(grant === null ? {} : { grant }),
    },
  })
}

/** Only the fields that are redacted or cut before they are written. */
function isRedacted({ reason = null, code = null, edited = null, grant = null }: JournalEntry): boolean {
  return /\[(?:redacted:[a-z-]+(?::[0-9a-f]{16})?|cut:\d+)\]/.test(JSON.stringify([reason, code, edited, grant]))
}
