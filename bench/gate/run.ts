import { type BenchTable, formatText } from '../table.ts'
import { benchAutomatic } from './automatic.ts'
import { benchDecision } from './decision.ts'
import { benchObserved } from './observed.ts'

/** The overhead of the gate over its inserts: on the automatic path, and from a decision to the tool's first line. */
export async function benchGate({ quick }: { readonly quick: boolean }): Promise<readonly BenchTable[]> {
  return [
    {
      title: 'Gate: an automatic call',
      rows: await benchAutomatic(quick ? { reps: 10, warm: 1_000 } : { reps: 25, warm: 4_000 }),
      notes: [
        'inserts only: the same statements as one call, on a second database with the same tables and pragmas',
        'both commit like the store: synced from medium risk up, not below',
        'targets apply to the mean of a turn, which includes all side effects of the inserts; the median call excludes checkpoints',
      ],
    },
    {
      title: 'Gate: an automatic call with an observer',
      rows: await benchObserved(quick ? { reps: 10, warm: 1_000 } : { reps: 25, warm: 4_000 }),
      notes: [
        'the same call in turns on two gates, one of them observed; the SDK records every span and exports nothing',
      ],
    },
    {
      title: 'Gate: from decision to running',
      rows: await benchDecision(quick ? { reps: 10, turn: 20, warm: 300 } : { reps: 25, turn: 50, warm: 3_000 }),
      notes: ['every process was idle for a millisecond before each measurement, like a waiting caller'],
    },
  ]
}

if (import.meta.main) for (const table of await benchGate({ quick: false })) console.log(formatText(table))
