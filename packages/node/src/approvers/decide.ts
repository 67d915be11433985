import {
  CountersignError,
  type Crypto,
  type Decision,
  type Desk,
  type HeldCallView,
  openView,
  type Receipt,
  signDecision,
} from '@countersign/core'
import type { Home } from '../home/home.ts'
import { systemClock } from '../system/clock.ts'
import { type LocalApprover, loadApprover, makeApprover } from './approver-key.ts'
import { enrol } from './approver-registry.ts'
import { recoveryCodesLeft } from './recovery-codes.ts'

/** Opens this account's approver key; on first use makes one and enrols it. */
export function openApprover(
  home: Home,
  options: { readonly name: string; readonly passphrase?: string },
): LocalApprover {
  const found = loadApprover(home, options)
  if (found !== undefined) return found
  // A home with recovery codes had a key: only a code replaces it.
  if (recoveryCodesLeft(home) !== undefined)
    throw new CountersignError(
      'CS_KEY',
      'your approver key is missing; restore it, or run `countersign approvers recover` with a recovery code',
    )
  const made = makeApprover(home, options)
  enrol(home, made.approver)
  return made
}

/**
 * Decides one held call with the local key: recomputes the digest of what was shown, signs it, hands it in.
 *
 * ```ts
 * await decide(desk, view, decision, { approver, surface: 'guide', crypto: ports.crypto })
 * ```
 */
export function decide(
  desk: Desk,
  view: HeldCallView,
  decision: Decision,
  by: { readonly approver: LocalApprover; readonly surface: string; readonly crypto: Crypto },
): Promise<Receipt> {
  const signed = signDecision(openView(view, by.crypto), decision, by.approver.signer, {
    surface: by.surface,
    at: systemClock.now(),
  })
  return desk.decide(view.id, signed)
}
