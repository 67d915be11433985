import { randomUUID } from 'node:crypto'
import type { Call } from '@countersign/core'
import { recordStatements } from '@countersign/testing/postgres/recorded-statements'
import type { PostgresServer } from '@countersign/testing/postgres/server'
import { compared } from '../gate/compared.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from '../gate/in-turns.ts'
import { openStage, type Stage } from '../gate/stage.ts'
import type { BenchRow } from '../table.ts'
import { BareServer } from './bare-server.ts'
import { freshTables, type Goal } from './clients.ts'

const CALL: Call = { tool: 'read_file', args: { path: 'src/index.ts' } }

/** Automatic calls, one after another and side by side, compared with the inserts of their rows. */
export async function benchAutomatic(
  server: PostgresServer,
  options: TurnOptions,
  goal: Goal,
): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const together of [1, 16]) {
    const recorded = await recordOne(server)
    const stage = await openStage({ store: await freshTables(server) })
    const bare = await BareServer.open(recorded.transactions, { ...recorded, to: await freshTables(server) }, together)
    try {
      const turns = await measureInTurns(gated(stage, together), [inserts(bare, together)], options)
      const name = `automatic call, ${together === 1 ? 'one after another' : `${together} at once`}${goal.about}`
      rows.push(
        { name: `${name}: inserts only`, median: turns.means.median('inserts'), unit: 'ns' },
        ...compared(turns, { key: 'gate', name: `${name}: gate.run`, floor: 'the inserts', most: goal.most }),
      )
    } finally {
      await bare.close()
      await stage.close()
    }
  }
  return rows
}

/** Nanoseconds per call of a batch. */
async function timed(together: number, once: (at: number) => Promise<void>): Promise<number> {
  const start = nanoseconds()
  await Promise.all(Array.from({ length: together }, (_, at) => once(at)))
  return (nanoseconds() - start) / together
}

function gated({ gate }: Stage, together: number): Subject {
  const run = async () => {
    const result = await gate.run(CALL, nothing)
    if (result.kind !== 'completed') throw new Error(`the call did not run automatically: ${JSON.stringify(result)}`)
  }
  return { name: 'gate', once: () => timed(together, run) }
}

function inserts(bare: BareServer, together: number): Subject {
  return { name: 'inserts', once: () => timed(together, (on) => bare.repeat(randomUUID(), { on })) }
}

/** Records the commits of one call in a warm gate. */
async function recordOne(server: PostgresServer) {
  const from = await freshTables(server)
  const stage = await openStage({ store: from })
  const recording = recordStatements()
  try {
    await stage.gate.run(CALL, nothing)
    recording.take()
    const { callId } = await stage.gate.run(CALL, nothing)
    return { transactions: recording.take().filter(({ isCommit }) => isCommit), id: callId, from }
  } finally {
    recording.stop()
    await stage.close()
  }
}

function nothing(): void {}
