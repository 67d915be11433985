import { type GateContext, mustBeDurable } from '../approval/context/gate-context.ts'
import type { Refusal } from '../approval/outcome/outcome.ts'
import { type ClearedCall, clearCall, permissionOf, policyTightened } from '../approval/outcome/permission.ts'
import type { Permit } from '../approval/outcome/permit.ts'
import { closeThrown, refuseCleared, refuseDrifted } from '../approval/record/close.ts'
import { recordStart } from '../approval/record/start.ts'
import { supervisionRank } from '../policy/model/supervision.ts'
import { effectSentence } from '../preview/effect.ts'
import { warningsOf } from '../safety/checker.ts'
import { keepBackup } from './keep-backup.ts'
import { watchChanges } from './record-changes.ts'
import { refuseRivals } from './rival-calls.ts'
import { findDrift } from './target-drift.ts'

/** A spent permit: the effect may begin. Or a refusal, or 'judge-again' when policy, limits or grants have changed. */
export type Begun = Permit | Refusal | 'judge-again'

/**
 * The last checks before the effect: the policy and the targets are checked again, a backup is made where one was
 * promised, and the permit is spent together with the intent entry.
 */
export async function begin(cleared: ClearedCall, mode: 'ask' | 'submit', context: GateContext): Promise<Begun> {
  try {
    // `await`: an error must be caught here.
    return await beginCleared(cleared, mode, context)
  } catch (thrown) {
    // INVARIANT: L3, a held call ends when its caller is refused. A submitted one can be collected again.
    throw cleared.held === null || mode === 'submit' ? thrown : await closeThrown(thrown, cleared.held, context)
  }
}

async function beginCleared(cleared: ClearedCall, mode: 'ask' | 'submit', context: GateContext): Promise<Begun> {
  context.trace?.enter('consume')
  const watched = await watchChanges(cleared, context)
  const isCurrent = watched === null && isJustJudged(cleared)
  const current = isCurrent ? cleared : await underCurrentPolicy(cleared, context)
  if (current === 'judge-again' || current.kind === 'refusal') return current
  const unrecorded = current === cleared ? watched : await watchChanges(current, context)
  const { judgement, permit } = current
  const drifted = await findDrift(current, context.ports)
  if (drifted !== null) return refuseDrifted(current, drifted, context)
  const backup = judgement.verdict.checks.length === 0 ? null : await keepBackup(current, context)
  if (backup !== null && 'kind' in backup) return backup
  // SECURITY: A7 a backup takes time: what changed meanwhile is neither what was shown nor what was copied.
  const driftedSince = backup === null ? null : await findDrift(current, context.ports)
  if (driftedSince !== null) return refuseDrifted(current, driftedSince, context)
  const started = await recordStart(current, { mode, backup, unrecorded }, context)
  if (started !== 'started') return started
  const rival = unrecorded === null ? null : await refuseRivals(current, context)
  if (rival !== null) return rival
  const { call, risk, supervision } = judgement
  if (supervision === 'notify')
    context.events.emit({
      kind: 'notice',
      callId: call.id,
      effect: effectSentence(call, risk),
      warnings: warningsOf(judgement.safety),
      judgement,
    })
  context.events.emit({ kind: 'started', callId: call.id, isContained: permit.contain !== null })
  return permit
}

/**
 * Whether the call was judged at this very moment: nobody was asked, no check ran, no other caller ran in between.
 * INVARIANT: L2, a deny may have been saved while a call waited for its turn.
 */
function isJustJudged({ held, judgement }: ClearedCall): boolean {
  return held === null && judgement.verdict.checks.length === 0 && !judgement.paused
}

/**
 * INVARIANT: L2, a deny that came into force while a person decided still denies, and a call that now needs more than was
 * shown is stale. A call nobody was asked about is judged again.
 */
async function underCurrentPolicy(
  cleared: ClearedCall,
  context: GateContext,
): Promise<ClearedCall | Refusal | 'judge-again'> {
  const { judgement, held, verified } = cleared
  // From risk medium up the policy files are checked again; below it, the check made when the decision arrived suffices.
  await context.refreshPolicy(mustBeDurable(judgement.risk.level) ? undefined : verified?.arrival)
  const isSamePolicy = context.policyNow().hash === judgement.verdict.policyHash
  // The same rules may ask for more by now: hours pass while a person thinks.
  if (
    isSamePolicy &&
    supervisionRank(context.judgeNow(judgement).supervision) <= supervisionRank(judgement.supervision)
  )
    return cleared
  if (held === null) return 'judge-again'
  const now = await context.judge(judgement.asked, judgement.call.session)
  const permission = permissionOf(now, verified === null ? null : held.body)
  // The permit is minted again: where the call runs may have changed too.
  if (permission === 'run') return clearCall(now, held, verified, cleared.row)
  return refuseCleared(cleared, permission === 'ask' ? policyTightened(now.call.id) : permission, context)
}
