import { CountersignError } from '../errors.ts'
import type { GateContext } from './context.ts'
import { stepEntry } from './entries.ts'
import type { Ticket } from './ticket.ts'

/** Takes a submitted call back. A decision that comes later does nothing; a call that already started is past that. */
export async function withdrawTicket(ticket: Ticket, context: GateContext): Promise<void> {
  const now = context.ports.clock.now()
  const row = await context.ports.store.call(ticket.callId)
  if (row === undefined || row.mode !== 'submit') {
    throw new CountersignError('CS_TICKET_UNKNOWN', `no call \`${ticket.callId}\` was submitted; nothing to withdraw`)
  }
  const committed = await context.commit({
    entries: [stepEntry('withdrawn', row.id, now, { digest: row.callDigest })],
    move: {
      id: row.id,
      from: ['held', 'decided'],
      to: 'closed',
      set: { outcome: 'withdrawn', closedAt: now, sealed: null },
    },
    durable: false,
  })
  if (committed.kind === 'conflict') {
    throw new CountersignError('CS_DECISION_LATE', `call \`${row.id}\` is already over; nothing was withdrawn`)
  }
  context.live.delete(row.id)
  context.room.withdraw(row.id)
  context.events.emit({ kind: 'ended', callId: row.id, outcome: 'withdrawn' })
}
