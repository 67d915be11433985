import { type BenchTable, formatText } from '../table.ts'
import { benchAutomatic } from './automatic.ts'
import { benchDecision } from './decision.ts'

/** The overhead of the gate over its inserts: on the automatic path, and from a decision to the tool's first line. */
export async function benchGate({ quick }: { readonly quick: boolean }): Promise<readonly BenchTable[]> {
  return [
    {
      title: 'Gate: a call that runs unasked',
      rows: await benchAutomatic(quick ? { reps: 10, warm: 1_000 } : { reps: 25, warm: 4_000 }),
      notes: [
        'the inserts alone: the very statements of one call, on a second database with the same tables and pragmas',
        'both commit as the store does: synced for risk medium and up, not for less',
        'targets are judged by the mean of a turn, which has all that the inserts cause; the median call leaves out checkpoints',
      ],
    },
    {
      title: 'Gate: from decision to running',
      rows: await benchDecision(quick ? { reps: 10, turn: 20, warm: 300 } : { reps: 25, turn: 50, warm: 3_000 }),
      notes: ['everything here is measured on a process that has been idle for a millisecond, as whoever waits has'],
    },
  ]
}

if (import.meta.main) for (const table of await benchGate({ quick: false })) console.log(formatText(table))
