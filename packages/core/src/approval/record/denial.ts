import { stepEntry } from '../../journal/entry.ts'
import { type GateContext, mustBeDurable } from '../context/gate-context.ts'
import type { Refusal } from '../outcome/refusal.ts'
import type { Judgement } from '../request/judgement.ts'
import { rowOf } from './call-row.ts'
import { judgedEntry } from './journal-entries.ts'

/** Records a call that was refused before anyone was asked, so that history and journal have it too. */
export async function recordDenied(judgement: Judgement, refused: Refusal, context: GateContext): Promise<Refusal> {
  const { call, circumstances, risk } = judgement
  const { now } = circumstances
  const row = { ...rowOf(judgement, 'ask', context), state: 'closed', outcome: refused.outcome, closedAt: now } as const
  const entries = [
    judgedEntry(judgement, context.ports.crypto),
    stepEntry(refused.outcome, call.id, now, { code: refused.code, digest: call.digest }),
  ]
  const durable = mustBeDurable(risk.level)
  const open = { call: row, maxHeldInSession: Number.POSITIVE_INFINITY, maxHeld: Number.POSITIVE_INFINITY }
  const committed = await context.commit({ entries, open, durable })
  // The id was used before: the attempt is in the journal all the same.
  if (committed.kind === 'conflict') await context.commit({ entries, durable })
  context.events.emit({ kind: 'ended', callId: call.id, outcome: refused.outcome })
  context.events.emit({ kind: 'refused', callId: call.id, refusal: refused })
  return refused
}
