import type { GateContext } from '../approval/context/gate-context.ts'
import { type Refusal, refusal } from '../approval/outcome/outcome.ts'
import type { ClearedCall } from '../approval/outcome/permission.ts'
import { isCommandRow } from '../approval/record/call-row.ts'
import { loadsCode } from '../policy/evaluate/unseen-changes.ts'
import { answerOr } from '../ports/maybe-promise.ts'
import type { StoredCall } from '../ports/store.ts'
import { settle } from './execute.ts'

/**
 * Without a sandbox, code of the project runs unasked only because its files were read. SECURITY: A7 a call in parallel could
 * change them after that, so such code and changes that nobody approved never run at the same time. Both are recorded as
 * started before this looks, so of two that start at once at least one finds the other, in whatever process it is.
 * Returns the refusal of a started call that must not run, or null.
 */
export async function refuseRivals(cleared: ClearedCall, context: GateContext): Promise<Refusal | null> {
  if (!(await isConcerned(cleared, context))) return null
  const { permit, judgement } = cleared
  const { store } = context.ports
  const { unrecorded } = await store.changes(context.places.workspace)
  const runsCode = loadsCode(judgement.risk)
  for (const { call } of unrecorded) {
    const row = call === permit.callId ? undefined : await store.call(call)
    if (row === undefined || !isUnasked(row, context) || !(runsCode || isOutside(row))) continue
    const what = runsCode ? 'changing files that this one could run' : 'running code of this workspace'
    const why = `another call is ${what}; ask again when it has ended`
    await settle(permit, 'failed', `it did not run: ${why}`, context)
    return refusal(permit.callId, 'stale', 'CS_STALE', why)
  }
  return null
}

/** Calls that nobody approved, where commands run outside the sandbox. */
async function isConcerned({ permit, verified, judgement }: ClearedCall, context: GateContext): Promise<boolean> {
  if (verified !== null || permit.contain !== null || judgement.verdict.grant !== null) return false
  if (context.policyNow().set.row.contained === 'never') return false
  const { sandbox } = context.ports
  return (await answerOr(() => sandbox?.status(), undefined))?.kind !== 'works'
}

function isUnasked({ state, supervision, owner }: StoredCall, { ports }: GateContext): boolean {
  const isAsked = supervision !== 'automatic' && supervision !== 'notify'
  return state === 'started' && !isAsked && ports.owners.isAlive(owner)
}

function isOutside(row: StoredCall): boolean {
  return row.contain === null && isCommandRow(row)
}
