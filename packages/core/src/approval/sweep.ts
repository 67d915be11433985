import type { StoredCall } from '../ports/store.ts'
import type { GateContext } from './context.ts'
import { stepEntry } from './entries.ts'
import type { Outcome } from './outcome.ts'

type Sweeper = Pick<GateContext, 'ports' | 'room' | 'events' | 'commit'>

/**
 * Ends what a dead process or a passed deadline left behind, and never runs any of it.
 * INVARIANT: L7, a call that had started is *unknown*: it may or may not have had its effect, and is not tried again.
 */
export async function sweepAbandoned(context: Sweeper): Promise<number> {
  const { store, clock } = context.ports
  const rows = await store.calls({ state: ['held', 'decided', 'started'], limit: 10_000 })
  const now = clock.now()
  let ended = 0
  for (const row of rows) {
    const outcome = fateOf(row, now, context)
    if (outcome === null) continue
    const committed = await context.commit({
      entries: [stepEntry(outcome, row.id, now, { digest: row.callDigest, found: row.state })],
      move: { id: row.id, from: row.state, to: 'closed', set: { outcome, closedAt: now, sealed: null } },
      durable: false,
    })
    if (committed.kind === 'conflict') continue
    ended += 1
    context.events.emit({ kind: 'ended', callId: row.id, outcome })
  }
  return ended
}

function fateOf(row: StoredCall, now: number, context: Sweeper): Outcome | null {
  const { owners } = context.ports
  const abandoned = !owners.isAlive(row.owner)
  if (row.state === 'started') return abandoned ? 'unknown' : null
  if (context.room.holds(row.id)) return null // its own clock, which cannot jump, ends it
  if (row.mode === 'ask' && abandoned) return 'withdrawn'
  if (row.expiresAt !== null && row.expiresAt <= now) return decidedAgainst(row) ? 'rejected' : 'expired'
  return null
}

function decidedAgainst(row: StoredCall): boolean {
  return row.decision?.includes('"kind":"reject"') ?? false
}
