import type { FrozenCall } from '../../call/call.ts'
import { canonicalJson } from '../../call/json/canonical.ts'
import type { Json } from '../../call/json/json.ts'
import { toolLabel } from '../../call/tool.ts'
import { CountersignError } from '../../errors.ts'
import type { Bounds } from '../../policy/model/containment.ts'
import { SUPERVISIONS, supervisionRank } from '../../policy/model/supervision.ts'
import type { WaitingState } from '../../ports/store.ts'
import { RISK_LEVELS, riskRank } from '../../risk/report/level.ts'
import { coverSecrets } from '../../secrets/mask.ts'
import { findOffer, type Verified } from '../decision/verify.ts'
import type { HeldCall } from '../request/held-call.ts'
import type { Judgement } from '../request/judgement.ts'
import type { RequestBody } from '../request/view.ts'
import { type Refusal, refusal } from './outcome.ts'
import { mintPermit, type Permit } from './permit.ts'

/** What a person was shown, as far as a later judgement may not ask for more. */
type Shown = Pick<RequestBody, 'supervision' | 'risk' | 'passkey' | 'contain'>

/**
 * May this call run now? `shown` is what somebody approved, null where nobody did. The only function that acts on a
 * verdict: it refuses the call, lets it run, or says that a person must be asked (again).
 */
export function permissionOf(judgement: Judgement, shown: Shown | null): 'run' | 'ask' | Refusal {
  const { call, verdict, safety, supervision } = judgement
  if (safety.blocked) {
    const failed = safety.findings.find((finding) => finding.status === 'fail' && !finding.overridable)
    const message = `safety check \`${failed?.checker ?? '?'}\` failed: ${failed?.message ?? 'no message'}`
    return refusal(call.id, 'denied', 'CS_CHECK_BLOCKED', message, { rule: verdict.rule })
  }
  // INVARIANT: L2, nothing below this line can lower a deny.
  if (supervision === 'deny') {
    const [reason] = verdict.reasons
    const message = `policy rule \`${verdict.rule.id}\` denies this call${reason === undefined ? '' : ` (${reason})`}`
    return refusal(call.id, 'denied', 'CS_DENIED', message, { rule: verdict.rule })
  }
  if (shown !== null) return asksForMore(judgement, shown) ? 'ask' : 'run'
  return supervision === 'automatic' || supervision === 'notify' ? 'run' : 'ask'
}

/** The refusal of an approved call for which `permissionOf` now answers 'ask'. */
export function policyTightened(callId: string): Refusal {
  return refusal(callId, 'stale', 'CS_STALE', 'the policy asks for more than when the call was shown; ask again')
}

function asksForMore(now: Judgement, shown: Shown): boolean {
  if (now.verdict.passkey === true && shown.passkey !== true) return true
  if (leavesSandbox(now, shown)) return true
  if (now.supervision === shown.supervision && now.risk.level === shown.risk) return false
  return (
    supervisionRank(now.supervision) > rankIn(SUPERVISIONS, shown.supervision) ||
    riskRank(now.risk.level) > rankIn(RISK_LEVELS, shown.risk)
  )
}

/** INVARIANT: L11, a call that was shown in the sandbox runs in exactly that one, whatever the policy says by now. */
function leavesSandbox({ verdict }: Judgement, { contain }: Shown): boolean {
  if (contain == null) return false
  return canonicalJson((verdict.contain ?? null) as Json) !== canonicalJson(contain as unknown as Json)
}

/** A request is read back as text: an unknown level ranks below all known ones. */
function rankIn(levels: readonly string[], level: string): number {
  return levels.indexOf(level)
}

/** A call that may run now: its permit, and everything that `execute/` checks again and records. */
export interface ClearedCall {
  readonly kind: 'cleared'
  readonly permit: Permit
  readonly judgement: Judgement
  /** null when nobody had to be asked. */
  readonly held: HeldCall | null
  readonly verified: Verified | null
  /** The row the call must still have in order to start; null when it has none yet. */
  readonly row: ExpectedRow | null
}

/** INVARIANT: L6, a call starts only from the state and the request in which it was cleared. */
export interface ExpectedRow {
  readonly state: WaitingState
  readonly requestDigest: string | null
}

/** Mints the permit of a call that `permissionOf` lets run. */
export function clearCall(
  judgement: Judgement,
  held: HeldCall | null,
  verified: Verified | null,
  row: ExpectedRow | null,
): ClearedCall {
  const contain = exceptionOf(held, verified) ?? judgement.verdict.contain ?? null
  const paths = judgement.named.flatMap(({ real }) => real ?? [])
  const within = { contain, paths, reads: sourceOf(judgement.call) }
  const permit = mintPermit(judgement.call, verified?.approver.name ?? null, within)
  return { kind: 'cleared', permit, judgement, held, verified, row }
}

/** The sandbox that an approval with an exception puts the call in, although it asked to run outside. Other bounds are for its repeats. */
function exceptionOf(held: HeldCall | null, verified: Verified | null): Bounds | null {
  const grant = verified?.signed.decision.grant
  if (grant?.bounds === undefined) return null
  const offer = findOffer(grant, held?.offers ?? [])
  if (offer !== undefined) return offer.contain ?? null
  throw new CountersignError('CS_GRANT_SCOPE', 'that exception was not offered for this call; decide again')
}

/** The judgement of the edited call, where the approver edited it; otherwise null. */
export function editedJudgement({
  judgement,
  verified,
}: Pick<ClearedCall, 'judgement' | 'verified'>): Judgement | null {
  return verified?.signed.decision.edited === undefined ? null : judgement
}

const MAX_SOURCE = 80

/** One line on where the result of a call comes from, without secrets. */
function sourceOf({ descriptor, tool }: FrozenCall): string {
  const { command, paths = [], url } = descriptor
  const text = coverSecrets(command ?? paths[0] ?? url ?? toolLabel(tool))
  const line = text
    .replaceAll('`', "'")
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim()
  return line.length <= MAX_SOURCE ? line : `${line.slice(0, MAX_SOURCE).toWellFormed()}…`
}
