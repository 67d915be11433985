import type { Verified } from '../decision/verify.ts'
import type { Held } from '../request/held.ts'
import type { Judgement } from '../request/judgement.ts'
import { mintPermit, type Permit } from './permit.ts'
import { type Refusal, refusal } from './refusal.ts'

/** A call that may run now: its permit, and all that execute rechecks and records. */
export interface Passed {
  readonly kind: 'passed'
  readonly permit: Permit
  readonly judgement: Judgement
  /** null when nobody had to be asked. */
  readonly held: Held | null
  readonly verified: Verified | null
  /** The row it must still be, to start: null when there is none yet. */
  readonly row: ExpectedRow | null
}

/** INVARIANT: L6, a call starts only from the very state and request that it was passed in. */
export interface ExpectedRow {
  readonly state: 'held' | 'ready' | 'decided'
  readonly requestDigest: string | null
}

/** Mints the permit of a call that nothing stands against any more. */
export function passed(
  judgement: Judgement,
  held: Held | null,
  verified: Verified | null,
  row: ExpectedRow | null,
): Passed {
  const permit = mintPermit(judgement.call, verified?.approver.name ?? null)
  return { kind: 'passed', permit, judgement, held, verified, row }
}

/** Denies, lets through, or says that a person must be asked. */
export function passUnasked(judgement: Judgement): Passed | Refusal | 'hold' {
  const { call, verdict, safety, supervision } = judgement
  if (safety.blocked) {
    const failed = safety.findings.find((finding) => finding.status === 'fail' && !finding.overridable)
    const message = `safety check \`${failed?.checker ?? '?'}\` failed: ${failed?.message ?? 'no message'}`
    return refusal(call.id, 'denied', 'CS_CHECK_BLOCKED', message, { rule: verdict.rule })
  }
  switch (supervision) {
    case 'deny': // INVARIANT: L2, the end of it
      return refusal(call.id, 'denied', 'CS_DENIED', denialText(judgement), { rule: verdict.rule })
    case 'automatic':
    case 'notify':
      return passed(judgement, null, null, null)
    case 'confirm':
    case 'manual':
      return 'hold'
  }
}

function denialText({ verdict }: Judgement): string {
  const why = verdict.reasons[0]
  return `policy rule \`${verdict.rule.id}\` denies this call${why === undefined ? '' : ` (${why})`}`
}

/** The call as a person made it, where somebody edited it. */
export function editedIn({ judgement, verified }: Pick<Passed, 'judgement' | 'verified'>): Judgement | null {
  return verified?.signed.decision.edited === undefined ? null : judgement
}
