import type { GateContext } from './context.ts'
import { stepEntry } from './entries.ts'
import type { Held } from './held.ts'
import { type Refusal, refusal } from './refusal.ts'

/** Ends a held call without running it, and tells the caller what a model should know. */
export async function closeHeld(
  held: Held,
  outcome: 'denied' | 'rejected' | 'expired' | 'withdrawn' | 'stale',
  code: Refusal['code'],
  message: string,
  context: GateContext,
  reason: string | null = null,
): Promise<Refusal> {
  const { call, verdict } = held.judgement
  const now = context.ports.clock.now()
  context.live.delete(call.id)
  await context.commit({
    entries: [stepEntry(outcome, call.id, now, { code, digest: call.digest })],
    move: { id: call.id, from: ['held', 'decided'], to: 'closed', set: { outcome, closedAt: now, sealed: null } },
    durable: false,
  })
  const ended = refusal(call.id, outcome, code, message, { reason, rule: verdict.rule })
  context.events.emit({ kind: 'ended', callId: call.id, outcome })
  context.events.emit({ kind: 'refused', callId: call.id, refusal: ended })
  return ended
}
