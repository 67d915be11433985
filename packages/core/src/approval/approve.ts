import { LONGEST_ASKED_MS } from '../policy/schema/duration.ts'
import { type GateContext, isCallerGone } from './context/gate-context.ts'
import { isResumable } from './context/resumable-session.ts'
import { awaitDecision } from './hold/await-decision.ts'
import { openHeld, prepareHeld } from './hold/hold.ts'
import { type Refusal, refusal } from './outcome/outcome.ts'
import { type ClearedCall, clearCall, permissionOf } from './outcome/permission.ts'
import { closeThrown, recordDenied, refuseCleared } from './record/close.ts'
import { recordConflict } from './record/store-conflict.ts'
import type { Judgement } from './request/judgement.ts'

/** Step five: clears a judged call to run, or refuses it. Where the policy asks for a person, the call is held until one decides. */
export async function approve(
  judgement: Judgement,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<ClearedCall | Refusal> {
  const { id } = judgement.call
  context.events.emit({ kind: 'judged', callId: id, judgement })
  const permission = permissionOf(judgement, null)
  if (typeof permission === 'object') return recordDenied(judgement, permission, context)
  const cleared =
    permission === 'run' ? clearCall(judgement, null, null, null) : await askPerson(judgement, signal, context)
  if (cleared.kind === 'refusal' || !isCallerGone(signal)) return cleared
  const message = 'the caller went away before the call could run'
  const withdrawn = refusal(id, 'withdrawn', 'CS_WITHDRAWN', message)
  // One who can come back finds the call as it is.
  return isResumable(context.asker) ? withdrawn : refuseCleared(cleared, withdrawn, context)
}

/** Holds a call until a person decides, the deadline passes or the caller leaves. */
export async function askPerson(
  judgement: Judgement,
  signal: AbortSignal | undefined,
  context: GateContext,
): Promise<ClearedCall | Refusal> {
  const timeoutMs = Math.min(judgement.verdict.timeoutMs, LONGEST_ASKED_MS)
  const { clock } = context.ports
  // Both read at the same moment, after the judging: the deadline that is shown is the one that ends the waiting.
  const [deadline, expiresAt] = [clock.monotonic() + timeoutMs, clock.now() + timeoutMs]
  context.trace?.enter('preview')
  const held = await prepareHeld(judgement, expiresAt, context)
  context.trace?.enter('hold')
  const refused = await openHeld(held, 'ask', context)
  if (refused !== null) return recordConflict(refused, context)
  try {
    // `await`: an error must be caught here.
    // A call whose asker can come back stays held when they leave, as a submitted one does.
    const mode = isResumable(context.asker) ? 'submit' : 'ask'
    return await awaitDecision(held, mode, deadline, signal, context)
  } catch (thrown) {
    throw await closeThrown(thrown, held, context)
  }
}
