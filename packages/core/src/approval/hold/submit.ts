import type { Call } from '../../call/call.ts'
import { CountersignError } from '../../errors.ts'
import { stepEntry } from '../../journal/entry.ts'
import type { StoredCall } from '../../ports/store.ts'
import { type GateContext, mustBeDurable, roomFor } from '../context/gate-context.ts'
import { type Passed, passUnasked } from '../outcome/permission.ts'
import type { Refusal } from '../outcome/refusal.ts'
import { rowOf } from '../record/call-row.ts'
import { judgedEntry } from '../record/journal-entries.ts'
import { refuseConflict } from '../record/store-conflict.ts'
import type { Judgement } from '../request/judgement.ts'
import { plainCall, sealCall } from '../request/sealed-call.ts'
import { openHeld, prepareHeld } from './hold.ts'

/** The asker's handle on a submitted call. */
export interface Ticket {
  readonly kind: 'ticket'
  readonly callId: string
}

/**
 * Takes a call durably and returns at once. The same id with the same call gives the same ticket, within one session:
 * SECURITY: A10, over a socket another session may be another asker, and is given no handle on this one's call.
 */
export async function submitCall(given: Call, context: GateContext): Promise<Ticket> {
  const judgement = await context.judge(given)
  const { call, verdict } = judgement
  // From after the call had its turns: they are not taken from the time a person has.
  const expiresAt = context.ports.clock.now() + verdict.timeoutMs
  const earlier = await context.ports.store.call(call.id)
  if (earlier !== undefined) return sameTicket(earlier, call.digest)
  const answer = passUnasked(judgement)
  const refused =
    answer === 'hold'
      ? await openHeld(await prepareHeld(judgement, expiresAt, context), 'submit', context)
      : await openUnasked(judgement, answer, expiresAt, context)
  context.live.delete(call.id) // nobody waits yet: whoever does opens the row
  if (refused === null) return { kind: 'ticket', callId: call.id }
  const again = await context.ports.store.call(call.id)
  if (refused.code === 'CS_CALL_DUPLICATE' && again !== undefined) return sameTicket(again, call.digest)
  throw new CountersignError(refused.code, refused.message)
}

/** A call that needs nobody waits in the store until its caller collects it; a denied one is closed at once. */
async function openUnasked(
  judgement: Judgement,
  answer: Passed | Refusal,
  expiresAt: number,
  context: GateContext,
): Promise<Refusal | null> {
  const { call, circumstances, risk, given } = judgement
  const denied = answer.kind === 'refusal'
  const { size: after } = await context.ports.store.head()
  const plain = plainCall(given, call.args, call.id)
  const sealed = { given: plain, session: call.session, view: null, expiresAt, after }
  const row: StoredCall = {
    ...rowOf(judgement, 'submit', context),
    state: denied ? 'closed' : 'ready',
    outcome: denied ? answer.outcome : null,
    closedAt: denied ? circumstances.now : null,
    expiresAt,
    sealed: denied ? null : sealCall(call.id, sealed, context.ports.crypto),
  }
  const entries = [judgedEntry(judgement, context.ports.crypto)]
  if (denied) entries.push(stepEntry(answer.outcome, call.id, circumstances.now, { code: answer.code }))
  const committed = await context.commit({
    entries,
    open: { call: row, ...roomFor(context) },
    durable: mustBeDurable(risk.level),
  })
  return committed.kind === 'conflict' ? refuseConflict(call.id, committed.what) : null
}

function sameTicket(row: StoredCall, digest: string): Ticket {
  if (row.callDigest === digest) return { kind: 'ticket', callId: row.id }
  throw new CountersignError('CS_CALL_DUPLICATE', `another call was submitted under the id \`${row.id}\`; use a new id`)
}
