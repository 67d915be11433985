import { type BenchTable, formatText } from '../table.ts'
import { benchRemoteAutomatic } from './automatic.ts'
import { benchRemoteDecision } from './decision.ts'
import { benchLoad } from './load.ts'
import { benchOnScreen } from './stream.ts'

/** What the service adds, in a process of its own: to a decision, to a new call on screen, to a call unasked; and load. */
export async function benchService({ quick }: { readonly quick: boolean }): Promise<readonly BenchTable[]> {
  const turns = quick ? { reps: 10, turn: 10, warm: 150 } : { reps: 25, turn: 40, warm: 2_000 }
  return [
    {
      title: 'Service: from decision to running',
      rows: await benchRemoteDecision(turns),
      notes: [
        'from the HTTP request that carries the signed decision reaching the service to the caller, in another process, having its permit',
        'a raw socket line: written by one process, read by another, as long as the permit',
        'every process has been idle for a millisecond, as whoever waits has',
      ],
    },
    {
      title: 'Service: a new call on screen',
      rows: await benchOnScreen(turns),
      notes: [
        'both are told over a Unix socket, in another process, and write the same event to one open stream',
        'the service also reads, judges, seals and shows the call before it is an event; the bare server does not',
      ],
    },
    {
      title: 'Service: a call that runs unasked, over the socket',
      rows: await benchRemoteAutomatic({ ...turns, turn: turns.turn * 4 }),
      notes: ['bare: lines of the same length between two processes, and the very statements of the call between them'],
    },
    await benchLoad({ quick }),
  ]
}

if (import.meta.main) for (const table of await benchService({ quick: true })) console.log(formatText(table))
