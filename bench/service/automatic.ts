import type { Call } from '@countersign/core'
import { compared } from '../gate/compared.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from '../gate/in-turns.ts'
import type { BenchRow } from '../table.ts'
import { type BarePeer, startBare } from './bare-peer.ts'
import { type RecordedCall, recordCall } from './recorded-call.ts'
import { openServiceStage } from './stage.ts'

const CASES: readonly { readonly name: string; readonly call: Call }[] = [
  { name: 'read_file', call: { tool: 'read_file', args: { path: 'src/index.ts' } } },
  { name: 'git status', call: { tool: 'execute_command', args: { command: 'git status' } } },
]

const MOST = 2
const DONE = '{"id":2,"done":true}\n'

/** A call that nobody is asked about, over the socket, beside the same lines and inserts with nothing around them. */
export async function benchRemoteAutomatic(options: TurnOptions): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const { name, call } of CASES) {
    const recorded = await recordCall(call, undefined)
    rows.push(...(await benchAsk(name, call, recorded, options)), ...(await benchWhole(name, call, recorded, options)))
  }
  return rows
}

async function benchAsk(name: string, call: Call, recorded: RecordedCall, options: TurnOptions) {
  const { transactions, id, allowed, permitLine, risk } = recorded
  const steps = [{ from: 0, to: allowed, reply: permitLine }]
  const bare = await startBare({ transactions, id, steps, answer: 'line' })
  const about = `${name} (risk ${risk}), from ask to permit`
  return benchBeside(about, call, 'ask', bare, [recorded.askLine], options)
}

async function benchWhole(name: string, call: Call, recorded: RecordedCall, options: TurnOptions) {
  const { transactions, id, allowed, permitLine, risk } = recorded
  const steps = [
    { from: 0, to: allowed, reply: permitLine },
    { from: allowed, to: transactions.length, reply: DONE },
  ]
  const bare = await startBare({ transactions, id, steps, answer: 'line' })
  const settle = `${JSON.stringify({ id: 2, do: 'settle', callId: id, outcome: 'completed' })}\n`
  const about = `${name} (risk ${risk}), asked and settled`
  return benchBeside(about, call, 'whole', bare, [recorded.askLine, settle], options)
}

async function benchBeside(
  about: string,
  call: Call,
  part: 'ask' | 'whole',
  bare: BarePeer,
  lines: readonly string[],
  options: TurnOptions,
): Promise<readonly BenchRow[]> {
  const stage = await openServiceStage({})
  try {
    const gate = await stage.connect()
    const service: Subject = {
      name: 'service',
      async once() {
        const start = nanoseconds()
        const permit = await gate.ask(call)
        const asked = nanoseconds() - start
        if (permit.kind !== 'permit') throw new Error(`the call was not run unasked: ${permit.message}`)
        await gate.settle(permit, 'completed')
        return part === 'ask' ? asked : nanoseconds() - start
      },
    }
    const floor: Subject = {
      name: 'bare',
      async once() {
        const start = nanoseconds()
        for (const line of lines) await bare.send(line)
        return nanoseconds() - start
      },
    }
    const turns = await measureInTurns(service, [floor], options)
    return [
      {
        name: `${about}: ${lines.length === 1 ? 'a bare round trip' : 'two bare round trips'} with its inserts`,
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
