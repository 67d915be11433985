import { CountersignError, draftEntry, safeText } from '@countersign/core'
import { wordsOf } from '../../wire/public-error.ts'
import type { DecidingParts } from '../api/route-dependencies.ts'
import type { SignedIn } from '../auth/browser-sessions.ts'

/** How far from now something may be signed: what was signed long ago was shown long ago. */
const MOST_APART_MS = 120_000

/** What a person signed besides decisions: whose it may be, how old, and what is recorded if it is forged. */
export interface SignerChecks {
  check(signedIn: SignedIn, signed: { readonly approver: string; readonly at: number }, again: string): Promise<void>
  recordForged(error: unknown, about: string, signedIn: SignedIn): Promise<void>
}

export function createSignerChecks({ main, attempts, now }: DecidingParts): SignerChecks {
  const { approvers, store, crypto } = main.ports
  return {
    /**
     * SECURITY: A2 a sign-in that works with one key takes no word of another. Before its first signature, or when that was
     * a passkey's, only the signature says whose it is.
     */
    async check({ approver }, signed, again) {
      const isSame = approver === null || approver === signed.approver
      if (!isSame && (await approvers.find(approver))?.kind !== 'passkey')
        throw new CountersignError(
          'CS_DECISION_FORGED',
          'another approver is signed in here; sign in again to sign as this one',
        )
      if (Math.abs(now() - signed.at) > MOST_APART_MS)
        throw new CountersignError('CS_STALE', `the signature is too old; ${again}`)
    },
    /** The attempt itself is news, as with a decision that does not count. INVARIANT: L10, by the same bound. */
    async recordForged(error, about, { id }) {
      const { code, message } = wordsOf(error)
      if (code !== 'CS_DECISION_FORGED' || !attempts.mayRecord(id)) return
      const words = `${safeText(about)}: ${message}`
      const entry = { kind: 'decision-refused', call: null, code, message: words, surface: 'http' }
      await store.commit({ entries: [draftEntry(entry, now(), crypto)], durable: false }).catch(() => {})
    },
  }
}
