import { CountersignError } from '../../errors.ts'
import type { GateContext } from '../context/gate-context.ts'
import { closeRow, WAITING } from '../record/close.ts'
import type { Ticket } from './submit.ts'

/** Takes a submitted call back. A decision that comes later does nothing; a call that already started is past that. */
export async function withdrawTicket(ticket: Ticket, context: GateContext): Promise<void> {
  const row = await context.ports.store.call(String(ticket?.callId))
  if (row === undefined || row.mode !== 'submit') {
    throw new CountersignError('CS_TICKET_UNKNOWN', `no call \`${ticket?.callId}\` was submitted; nothing to withdraw`)
  }
  if (!(await closeRow(row, 'withdrawn', WAITING, context))) {
    throw new CountersignError('CS_DECISION_LATE', `call \`${row.id}\` is already over; nothing was withdrawn`)
  }
  context.live.delete(row.id)
  context.room.withdraw(row.id)
}
