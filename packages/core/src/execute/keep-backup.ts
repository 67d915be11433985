import type { GateContext } from '../approval/context/gate-context.ts'
import type { Passed } from '../approval/outcome/permission.ts'
import type { Permit } from '../approval/outcome/permit.ts'
import { type Refusal, refusal } from '../approval/outcome/refusal.ts'
import { closePassed } from '../approval/record/close.ts'
import { recordDenied } from '../approval/record/denial.ts'
import type { Judgement } from '../approval/request/judgement.ts'
import { asCountersignError } from '../errors.ts'
import { USUAL_RETENTION } from '../policy/load/merged-settings.ts'
import type { Kept } from '../ports/backups.ts'
import { changedTargets } from '../safety/changed-targets.ts'
import { BACKUP, backupBounds } from '../safety/checkers/backup.ts'

/** Which copy was made for a permit, until its call has ended. */
const KEPT = new WeakMap<Permit, string>()

/**
 * Keeps a copy of what the call is about to change, where its checks ask for one. INVARIANT: L3, a copy that was
 * promised and cannot be made means that the tool does not run. Null when none was promised.
 */
export async function keepBackup(passed: Passed, context: GateContext): Promise<Kept | Refusal | null> {
  const { judgement, permit } = passed
  if (!isPromised(judgement)) return null
  const { call, risk, verdict, circumstances } = judgement
  const { known } = changedTargets({ call, risk, places: circumstances.places })
  if (known.length === 0) return null
  try {
    const ages = context.policyNow().set.backups ?? USUAL_RETENTION
    const kept = await context.ports.backups.keep(call.id, known, backupBounds(verdict), ages)
    KEPT.set(permit, kept.name)
    return kept
  } catch (error) {
    return refuseUnkept(passed, error, context)
  }
}

/**
 * After the effect: notes what it left behind; null when no copy was made. Without the note an undo cannot tell later
 * changes apart, and says so.
 */
export function noteAfter(permit: Permit, context: GateContext): Promise<void> | null {
  const name = KEPT.get(permit)
  if (name === undefined) return null
  KEPT.delete(permit)
  return context.ports.backups.note(name).catch(() => {})
}

/** A person who approved although no copy can be made has done without it. */
function isPromised({ verdict, safety }: Judgement): boolean {
  if (!verdict.checks.includes(BACKUP)) return false
  return !safety.findings.some(({ checker, status }) => checker === BACKUP && status === 'fail')
}

async function refuseUnkept(passed: Passed, error: unknown, context: GateContext): Promise<Refusal> {
  const { judgement, held } = passed
  const { call, verdict } = judgement
  const { message } = asCountersignError(error, 'CS_BACKUP', 'the copy failed; look at the disk and ask again')
  const said = `no copy could be made of what the call changes, so it did not run: ${message}`
  const refused = refusal(call.id, 'denied', 'CS_BACKUP', said, { rule: verdict.rule })
  return held === null ? recordDenied(judgement, refused, context) : closePassed(passed, held, refused, context)
}
