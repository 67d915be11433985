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
        'received: Node has read the last byte of the HTTP request; all our work, such as parsing and checking, comes after it',
        'running: the caller, in another process, has its permit',
        'the sum: one bare process is woken by a line, verifies the same signature once, commits the same statements of decision and start, and writes a line as long as the permit',
        'every process was idle for a millisecond before each measurement, like a waiting caller',
      ],
    },
    {
      title: 'Service: a new call on screen',
      rows: await benchOnScreen(turns),
      notes: [
        'from held: from the commit that holds the call until a reader of the stream in another process has its event',
        'the bare event server: Node’s own HTTP server writes the same bytes to one open stream, right after the same inserts',
        'from gate.ask: the service also parses, judges, seals and previews the call, unlike the bare server',
        'every process was idle for a millisecond before each measurement; rendering by the page is not included',
      ],
    },
    {
      title: 'Service: an automatic call over the socket',
      rows: await benchRemoteAutomatic({ ...turns, turn: turns.turn * 4 }),
      notes: [
        'bare: lines of the same length between two processes, and the same statements as the call',
        IS_BUILT ? 'every service runs the built command' : 'the services run from the sources, which is slower',
      ],
    },
    await benchLoad({ quick }),
  ]
}

if (import.meta.main) for (const table of await benchService({ quick: true })) console.log(formatText(table))
