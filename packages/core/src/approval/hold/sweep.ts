import { OPEN_STATES, type StoredCall } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { openDecision } from '../decision/stored-decision.ts'
import type { Outcome } from '../outcome/outcome.ts'
import { closeRow } from '../record/close.ts'

type Sweeper = Pick<GateContext, 'ports' | 'waiting' | 'events' | 'commit'>

/**
 * Closes calls that a dead process or a passed deadline left behind. Returns how many. None of them is run.
 * INVARIANT: L7, a call that had started is *unknown*: it may have had its effect, and is not tried again.
 */
export async function sweepAbandoned(context: Sweeper): Promise<number> {
  const { store, clock } = context.ports
  const rows = await store.calls({ state: OPEN_STATES, limit: 10_000, unsealed: true })
  const now = clock.now()
  let ended = 0
  for (const row of rows) {
    const outcome = outcomeOf(row, now, context)
    if (outcome === null || !(await closeRow(row, outcome, row.state, context, { found: row.state }))) continue
    ended += 1
    if (outcome === 'unknown' || outcome === 'withdrawn')
      context.ports.telemetry?.problem({ kind: 'owner-lost', callId: row.id, outcome })
  }
  return ended
}

function outcomeOf(row: StoredCall, now: number, context: Sweeper): Outcome | null {
  const { owners, crypto } = context.ports
  const abandoned = !owners.isAlive(row.owner)
  if (row.state === 'started') return abandoned ? 'unknown' : null
  // A living asker closes its own call, by the monotonic clock.
  if (row.mode === 'ask') return abandoned ? 'withdrawn' : null
  if (context.waiting.holds(row.id) || row.expiresAt === null || row.expiresAt > now) return null
  return openDecision(row.decision, crypto)?.signed.decision.kind === 'reject' ? 'rejected' : 'expired'
}
