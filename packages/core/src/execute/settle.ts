import type { GateContext } from '../approval/context.ts'
import { stepEntry } from '../approval/entries.ts'
import type { Outcome } from '../approval/outcome.ts'
import { type Permit, settlePermit } from '../approval/permit.ts'
import { redactText } from '../journal/redact.ts'

const MAX_DETAIL = 500

/** Records the outcome of a spent permit, once. */
export async function settle(permit: Permit, outcome: Outcome, detail: string | null, context: GateContext): Promise<void> {
  settlePermit(permit)
  const now = context.ports.clock.now()
  await context.commit({
    entries: [stepEntry(outcome, permit.callId, now, { digest: permit.callDigest, detail: detail === null ? null : redactText(detail.slice(0, MAX_DETAIL), context.ports.crypto) })],
    move: { id: permit.callId, from: 'started', to: 'closed', set: { outcome, closedAt: now } },
    durable: false,
  })
  context.events.emit({ kind: 'ended', callId: permit.callId, outcome })
}

