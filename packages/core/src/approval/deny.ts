import { type GateContext, mustBeDurable } from './context.ts'
import { judgedEntry, stepEntry } from './entries.ts'
import { rowOf } from './hold.ts'
import type { Judgement } from './judgement.ts'
import type { Refusal } from './refusal.ts'

/** Records a call that was refused before anyone was asked, so that history and journal have it too. */
export async function recordDenied(judgement: Judgement, refused: Refusal, context: GateContext): Promise<Refusal> {
  const { call, circumstances, risk } = judgement
  const { now } = circumstances
  const row = { ...rowOf(judgement, 'ask', context), state: 'closed', outcome: refused.outcome, closedAt: now } as const
  await context.commit({
    entries: [
      judgedEntry(judgement, context.ports.crypto),
      stepEntry(refused.outcome, call.id, now, { code: refused.code, digest: call.digest }),
    ],
    open: { call: row, maxHeldInSession: Number.POSITIVE_INFINITY, maxHeld: Number.POSITIVE_INFINITY },
    durable: mustBeDurable(risk.level),
  })
  context.events.emit({ kind: 'ended', callId: call.id, outcome: refused.outcome })
  context.events.emit({ kind: 'refused', callId: call.id, refusal: refused })
  return refused
}
