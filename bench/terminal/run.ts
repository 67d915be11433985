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
        'Each run is a new process of the built command, interleaved with bare Node.',
        'Frames are those of the real screen on a simulated terminal of 80×24, at most 30 per second.',
      ],
    },
  ]
}
