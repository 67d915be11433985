import { startPostgres } from '@countersign/testing/postgres/server'
import { type BenchTable, formatText } from '../table.ts'
import { benchAutomatic } from './automatic.ts'
import { benchDecision } from './decision.ts'
import { benchGrowth } from './growth.ts'

/** Commits that need not survive a power failure of the server at once are not waited for. */
const RELAXED = ['wal_writer_delay=10ms']

/** The store on PostgreSQL, compared with inserts of the same rows through the same driver. */
export async function benchPostgres({ quick }: { readonly quick: boolean }): Promise<readonly BenchTable[]> {
  const options = quick ? { reps: 10, turn: 10, warm: 50 } : { reps: 25, turn: 30, warm: 200 }
  const server = await startPostgres({ safe: true })
  const relaxed = await startPostgres({ safe: true, settings: RELAXED })
  try {
    return [
      {
        title: 'PostgreSQL: calls',
        rows: [
          ...(await benchAutomatic(server, options)),
          ...(await benchAutomatic(relaxed, options, `, ${RELAXED}`)),
          ...(await benchDecision(server, options)),
          ...(await benchGrowth(relaxed, { ...options, few: 10_000, many: quick ? 100_000 : 1_000_000 })),
        ],
        notes: [
          'inserts only: the rows of the same commits on tables of their own, each commit in one round trip of the driver; 16 at once use 16 connections and leave the journal’s head out',
          'the server writes to the disk on each commit; with a short `wal_writer_delay` both leave that out below risk medium',
        ],
      },
    ]
  } finally {
    await server.stop()
    await relaxed.stop()
  }
}

if (import.meta.main)
  for (const table of await benchPostgres({ quick: process.argv.includes('--quick') })) console.log(formatText(table))
