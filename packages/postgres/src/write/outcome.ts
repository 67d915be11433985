import { setTimeout as pause } from 'node:timers/promises'
import type { StoreAddress } from '../connection/address.ts'
import { connect, cut, type Settled, settle, type Timeouts } from '../connection/client.ts'
import { codeOf } from '../connection/postgres-error.ts'
import type { Table } from '../schema/schema.ts'

/** What became of a transaction whose answer was lost. */
export type LostOutcome = 'committed' | 'nothing happened' | 'unsure'

/** How a transaction is found again. */
export interface TransactionName {
  /** Its number on the server that ran it. */
  readonly xid: string
  /** When that server was started: another server, or the same after a restart, can no longer commit it. */
  readonly server: string
  /** The id it notes in the table `applied`. */
  readonly id: string
}

const BETWEEN_MS = 50

/** Each question is short, so that the last one is not answered long after the end. */
const QUESTION = { connect: 1500, answer: 2000 }

/** Finds out on a new connection what became of a transaction. While the server still runs it, this waits. */
export async function findOutcome(
  address: StoreAddress,
  table: Table,
  name: TransactionName,
  timeouts: Timeouts,
  withinMs: number,
): Promise<LostOutcome> {
  const end = performance.now() + withinMs
  for (;;) {
    const outcome = await askOutcome(address, table, name, { ...timeouts, ...QUESTION }).catch(
      () => 'not known yet' as const,
    )
    if (outcome !== 'not known yet') return outcome
    if (performance.now() > end) return 'unsure'
    await pause(BETWEEN_MS)
  }
}

async function askOutcome(
  address: StoreAddress,
  table: Table,
  { xid, server, id }: TransactionName,
  timeouts: Timeouts,
): Promise<LostOutcome | 'not known yet'> {
  const client = await connect(address, timeouts)
  try {
    // In this order: what is over by the first answer is visible to the last.
    const [status, now, noted] = await settle(
      client,
      [
        { text: 'SELECT pg_xact_status($1::xid8) AS status', values: [xid] },
        { text: 'SELECT pg_postmaster_start_time()::text AS server, pg_is_in_recovery() AS standby' },
        { text: `SELECT 1 FROM ${table('applied')} WHERE id = $1`, values: [id] },
      ],
      timeouts,
    )
    if (now?.status !== 'fulfilled' || noted?.status !== 'fulfilled') return 'not known yet'
    if (noted.value.rows.length === 1) return 'committed'
    const here = now.value.rows[0]
    if (here?.['standby'] === true) return 'not known yet'
    if (here?.['server'] !== server) return 'nothing happened'
    return meaningOf(status)
  } finally {
    cut(client)
  }
}

/** The status of a transaction without a note, on the server that ran it. */
function meaningOf(status: Settled | undefined): LostOutcome | 'not known yet' {
  // A crash of another connection took back the number, and with it the transaction.
  if (status?.status === 'rejected') return codeOf(status.reason) === '22023' ? 'nothing happened' : 'not known yet'
  switch (status?.value.rows[0]?.['status']) {
    case 'aborted':
      return 'nothing happened'
    case 'in progress':
      return 'not known yet'
    default:
      return 'unsure'
  }
}
