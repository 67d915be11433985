import type { BenchTable } from '../table.ts'
import { benchColdStart } from './cold-start.ts'
import { benchFrames } from './frames.ts'

/** The terminal: start-up time, and typing latency under load. */
export async function benchTerminal({ quick }: { readonly quick: boolean }): Promise<readonly BenchTable[]> {
  const start = await benchColdStart(quick ? 3 : 21)
  const frames = await benchFrames(quick ? 2 : 10)
  return [
    {
      title: 'The terminal',
      rows: [...start, ...frames],
      notes: [
        'The command is the built one, each time a process of its own, turn by turn with bare Node.',
        'The frames are those of the real screen on a terminal of 80×24 that nobody looks at; a frame is laid out and drawn at most 30 times a second.',
      ],
    },
  ]
}
