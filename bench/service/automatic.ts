import type { Call } from '@countersign/core'
import { compared } from '../gate/compared.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from '../gate/in-turns.ts'
import type { BenchRow } from '../table.ts'
import { startBare } from './bare-peer.ts'
import { type RecordedCall, recordCall } from './recorded-call.ts'
import { openServiceStage } from './stage.ts'

const CASES: readonly { readonly name: string; readonly call: Call }[] = [
  { name: 'read_file', call: { tool: 'read_file', args: { path: 'src/index.ts' } } },
  { name: 'git status', call: { tool: 'execute_command', args: { command: 'git status' } } },
]

const MOST = 2
const DONE = '{"id":2,"done":true}\n'

/** An automatic call over the socket, compared with the same lines and inserts alone. */
export async function benchRemoteAutomatic(options: TurnOptions): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const { name, call } of CASES) {
    const recorded = await recordCall(call, undefined)
    for (const part of ['ask', 'whole'] as const) rows.push(...(await benchCall(name, call, recorded, part, options)))
  }
  return rows
}

/** From asking to the permit, and to the end of settling: the same two lines both times, of which the first or both are timed. */
async function benchCall(
  name: string,
  call: Call,
  recorded: RecordedCall,
  part: 'ask' | 'whole',
  options: TurnOptions,
): Promise<readonly BenchRow[]> {
  const { transactions, id, allowed, permitLine, risk, askLine } = recorded
  const about = `${name} (risk ${risk}), ${part === 'ask' ? 'from ask to permit' : 'asked and settled'}`
  const settleLine = `${JSON.stringify({ id: 2, do: 'settle', callId: id, outcome: 'completed' })}\n`
  const steps = [
    { from: 0, to: allowed, reply: permitLine },
    { from: allowed, to: transactions.length, reply: DONE },
  ]
  const bare = await startBare({ transactions, id, steps, answer: 'line' })
  const stage = await openServiceStage({})
  try {
    const gate = await stage.connect()
    const service: Subject = {
      name: 'service',
      async once() {
        const start = nanoseconds()
        const permit = await gate.ask(call)
        const asked = nanoseconds() - start
        if (permit.kind !== 'permit') throw new Error(`the call did not run automatically: ${permit.message}`)
        await gate.settle(permit, 'completed')
        return part === 'ask' ? asked : nanoseconds() - start
      },
    }
    const floor: Subject = {
      name: 'bare',
      async once() {
        const start = nanoseconds()
        await bare.send(askLine)
        const asked = nanoseconds() - start
        await bare.send(settleLine)
        return part === 'ask' ? asked : nanoseconds() - start
      },
    }
    const turns = await measureInTurns(service, [floor], options)
    return [
      {
        name: `${about}: ${part === 'ask' ? 'a bare round trip' : 'two bare round trips'} with the same inserts`,
        median: turns.means.median('bare'),
        unit: 'ns',
      },
      ...compared(turns, { key: 'service', name: `${about}: through the service`, floor: 'bare', most: MOST }),
    ]
  } finally {
    await bare.close()
    await stage.close()
  }
}
