import { IS_BUILT } from '../command.ts'
import { type BenchTable, formatText } from '../table.ts'
import { benchRemoteAutomatic } from './automatic.ts'
import { benchRemoteDecision } from './decision.ts'
import { benchLoad } from './load.ts'
import { benchOnScreen } from './stream.ts'

/** The overhead of a service in its own process: for a decision, a new call on screen, an automatic call; and load. */
export async function benchService({ quick }: { readonly quick: boolean }): Promise<readonly BenchTable[]> {
  const turns = quick ? { reps: 10, turn: 10, warm: 150 } : { reps: 25, turn: 40, warm: 2_000 }
  return [
    {
      title: 'Service: from decision to running',
      rows: await benchRemoteDecision(turns),
      notes: [
        'received: Node has read the last byte of the HTTP request; parsing, checking and all else of ours comes after it',
        'running: the caller, in another process, has its permit in its hands',
        'the sum: one bare process is woken by a line, checks the same signature once, commits the very statements of decision and start as the store does, and writes a line as long as the permit',
        'every process has been idle for a millisecond, as whoever waits has',
      ],
    },
    {
      title: 'Service: a new call on screen',
      rows: await benchOnScreen(turns),
      notes: [
        'from held: the transaction that holds the call is committed; until a reader of the stream, in another process, has its event',
        'the bare server of events: Node’s own HTTP server writes the same bytes to one open stream, right after the same inserts',
        'from gate.ask: the service also reads, judges, seals and previews the call, which the bare server with its inserts does not',
        'every process has been idle for a millisecond; what a page then draws is the same for both, and in neither',
      ],
    },
    {
      title: 'Service: a call that runs unasked, over the socket',
      rows: await benchRemoteAutomatic({ ...turns, turn: turns.turn * 4 }),
      notes: [
        'bare: lines of the same length between two processes, and the very statements of the call between them',
        IS_BUILT
          ? 'every service here is the built command'
          : 'the services here run from the sources, which is slower',
      ],
    },
    await benchLoad({ quick }),
  ]
}

if (import.meta.main) for (const table of await benchService({ quick: true })) console.log(formatText(table))
