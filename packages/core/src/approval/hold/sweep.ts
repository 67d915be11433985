import { OPEN_STATES, type StoredCall } from '../../ports/store.ts'
import type { GateContext } from '../context/gate-context.ts'
import { isResumable, RETURN_MS } from '../context/resumable-session.ts'
import { openDecision } from '../decision/stored-decision.ts'
import type { Outcome } from '../outcome/outcome.ts'
import { closeRow } from '../record/close.ts'

type Sweeper = Pick<GateContext, 'ports' | 'waiting' | 'events' | 'commit' | 'absent'>

/**
 * Closes calls that a dead process or a passed deadline left behind. Returns how many. None of them is run.
 * INVARIANT: L7, a call that had started is *unknown*: it may have had its effect, and is not tried again.
 */
export async function sweepAbandoned(context: Sweeper): Promise<number> {
  const { store, clock } = context.ports
  const rows = await store.calls({ state: OPEN_STATES, limit: 10_000, unsealed: true })
  const now = clock.now()
  forgetAllBut(rows, context)
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
  const isLate = abandoned && !mayReturn(row, context)
  if (row.state === 'started') return isLate ? 'unknown' : null
  const isReturning = isResumable(row.session)
  // A decision that was made waits until the deadline for an asker who can come back.
  if (row.mode === 'ask' && isLate && !(isReturning && row.state === 'decided')) return 'withdrawn'
  // A living asker closes its own call, by the monotonic clock.
  if (row.mode === 'ask' && !isReturning) return null
  if (context.waiting.holds(row.id) || row.expiresAt === null || row.expiresAt > now) return null
  return openDecision(row.decision, crypto)?.signed.decision.kind === 'reject' ? 'rejected' : 'expired'
}

/** Whether the asker of a call whose gate is gone has still time to come back. The time runs from when this gate noticed. */
function mayReturn(row: StoredCall, { ports, absent }: Sweeper): boolean {
  if (!isResumable(row.session)) return false
  const now = ports.clock.monotonic()
  const key = `${row.id} ${row.owner}`
  const since = absent.get(key) ?? now
  absent.set(key, since)
  return now - since < RETURN_MS
}

function forgetAllBut(rows: readonly StoredCall[], { absent }: Sweeper): void {
  const open = new Set(rows.map(({ id, owner }) => `${id} ${owner}`))
  for (const key of absent.keys()) if (!open.has(key)) absent.delete(key)
}
