import type { GateContext } from '../approval/context/gate-context.ts'
import { type Refusal, refusal } from '../approval/outcome/outcome.ts'
import type { ClearedCall } from '../approval/outcome/permission.ts'
import type { Permit } from '../approval/outcome/permit.ts'
import { refuseCleared } from '../approval/record/close.ts'
import { asCountersignError } from '../errors.ts'
import { USUAL_RETENTION } from '../policy/load/merged-settings.ts'
import type { Kept } from '../ports/backups.ts'
import { changedTargets } from '../safety/changed-targets.ts'
import { BACKUP, backupBounds, promisesCopy } from '../safety/checkers/backup.ts'

/** The name of the backup made for a permit. */
const BACKUPS = new WeakMap<Permit, string>()

/**
 * Backs up what the call is about to change, where its checks ask for it. INVARIANT: L3, if a promised backup cannot be
 * made, the tool does not run. Null when none was promised.
 */
export async function keepBackup(cleared: ClearedCall, context: GateContext): Promise<Kept | Refusal | null> {
  const { judgement, permit } = cleared
  const approved = cleared.verified !== null
  if (!isPromised(judgement, approved)) return null
  const { call, risk, verdict, circumstances } = judgement
  const { known } = changedTargets({ call, risk, places: circumstances.places })
  if (known.length === 0) return null
  try {
    const ages = context.policyNow().set.backups ?? USUAL_RETENTION
    const kept = await context.ports.backups.keep(call.id, known, backupBounds(verdict), { ...ages, approved })
    BACKUPS.set(permit, kept.name)
    return kept
  } catch (error) {
    const { message } = asCountersignError(error, 'CS_BACKUP', 'the copy failed; check the disk and ask again')
    const said = `no copy could be made of what the call changes, so it did not run: ${message}`
    return refuseCleared(cleared, refusal(call.id, 'denied', 'CS_BACKUP', said, { rule: verdict.rule }), context)
  }
}

/**
 * After the effect: records what the call left behind, so that an undo can tell later changes apart; without this note it
 * says that it cannot. Null when no backup was made.
 */
export function noteAfter(permit: Permit, context: GateContext): Promise<void> | null {
  const name = backupOf(permit)
  if (name === null) return null
  return context.ports.backups.note(name).catch(() => {})
}

/** The name of the backup that was made for a call; null if there is none. */
export function backupOf(permit: Permit): string | null {
  return BACKUPS.get(permit) ?? null
}

/** A person who approves although no copy can be made does without one. Where only room was missing, it is made. */
function isPromised({ safety }: ClearedCall['judgement'], approved: boolean): boolean {
  return safety.findings.some((finding) => finding.checker === BACKUP && promisesCopy(finding, approved))
}
