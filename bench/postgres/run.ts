import { type PostgresServer, startPostgres } from '@countersign/testing/postgres/server'
import { type BenchTable, formatText } from '../table.ts'
import { benchAutomatic } from './automatic.ts'
import { benchDecision } from './decision.ts'
import { benchGrowth } from './growth.ts'
import { benchStartUp } from './start-up.ts'
import { benchWakeUp } from './wake-up.ts'

/** Commits that need not survive a power failure of the server at once are not waited for. */
const RELAXED = 'wal_writer_delay=10ms'

/** The store on PostgreSQL, compared with inserts of the same rows through the same driver. */
export async function benchPostgres({ quick }: { readonly quick: boolean }): Promise<readonly BenchTable[]> {
  const server = await startPostgres({ safe: true })
  const relaxed = await startPostgres({ safe: true, settings: [RELAXED] })
  try {
    return await tables(server, relaxed, quick)
  } finally {
    await server.stop()
    await relaxed.stop()
  }
}

async function tables(server: PostgresServer, relaxed: PostgresServer, quick: boolean): Promise<readonly BenchTable[]> {
  const unflushed = { about: `, ${RELAXED}`, most: undefined }
  const options = quick ? { reps: 10, turn: 10, warm: 50 } : { reps: 25, turn: 30, warm: 300 }
  return [
    {
      title: 'PostgreSQL: calls',
      rows: [
        ...(await benchAutomatic(server, options, { about: '', most: 3 })),
        ...(await benchAutomatic(relaxed, options, unflushed)),
        ...(await benchDecision(server, options, { about: '', most: 2 })),
        ...(await benchDecision(relaxed, options, unflushed)),
      ],
      notes: [
        'inserts only: the rows of the same commits on tables of their own, each commit in one round trip of the driver; 16 at once use 16 connections and leave the journal’s head out',
        'the server writes to the disk on each commit; with a short `wal_writer_delay` both leave that out below risk medium, and two round trips and the gate’s own work are compared with one round trip',
        'a decided call excludes the person: it is measured until it is held, and from the decision to its end',
      ],
    },
    {
      title: 'PostgreSQL: a long journal',
      rows: await benchGrowth(relaxed, { ...options, few: 10_000, many: quick ? 100_000 : 1_000_000 }),
      notes: ['two stores on one server, filled with real entries and finished calls; medians of calls in turns'],
    },
    {
      title: 'PostgreSQL: waking another gate',
      rows: await benchWakeUp(relaxed, options),
      notes: ['both in one process; a caller that waits then looks within 50 ms'],
    },
    {
      title: 'PostgreSQL: start-up',
      rows: await benchStartUp(relaxed, quick ? 3 : 21),
      notes: ['each start is a new process of the built command, interleaved with `node -e 0`'],
    },
  ]
}

if (import.meta.main)
  for (const table of await benchPostgres({ quick: process.argv.includes('--quick') })) console.log(formatText(table))
