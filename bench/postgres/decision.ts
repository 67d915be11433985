import { randomUUID } from 'node:crypto'
import { type Call, type HeldCallView, openView, signDecision } from '@countersign/core'
import { recordStatements } from '@countersign/testing/postgres/recorded-statements'
import type { PostgresServer } from '@countersign/testing/postgres/server'
import { compared } from '../gate/compared.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from '../gate/in-turns.ts'
import { openStage, type Stage } from '../gate/stage.ts'
import type { BenchRow } from '../table.ts'
import { BareServer } from './bare-server.ts'
import { freshTables } from './clients.ts'

const HELD = `version: 1
rules:
  - id: ask-reads
    kind: read
    supervision: confirm
`
const CALL: Call = { tool: 'forecast', args: { city: 'Graz' }, description: { kind: 'read' } }
const MOST = 2
/** Held, decided, started, closed. */
const COMMITS = 4

/** A call from its request to its end, held and approved in the same process, compared with the inserts of its rows. */
export async function benchDecision(server: PostgresServer, options: TurnOptions): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const together of [1, 16]) {
    const recorded = await recordOne(server)
    const stage = await openStage({ policy: HELD, store: await freshTables(server) })
    const bare = await BareServer.open(recorded.transactions, { ...recorded, to: await freshTables(server) }, together)
    try {
      const turns = await measureInTurns(decided(stage, together), [inserts(bare, together)], options)
      const name = `decided call, ${together === 1 ? 'one after another' : `${together} at once`}`
      rows.push(
        { name: `${name}: inserts only`, median: turns.means.median('inserts'), unit: 'ns' },
        ...compared(turns, { key: 'gate', name: `${name}: held, decided, started, closed`, floor: 'the inserts', most: MOST }),
      )
    } finally {
      await bare.close()
      await stage.close()
    }
  }
  return rows
}

/** Approves every call as soon as it is held. */
function approving({ gate, desk, ports, approver }: Stage): () => void {
  const approve = async (view: HeldCallView) => {
    const about = { surface: 'bench', at: Date.now() }
    await desk.decide(view.id, signDecision(openView(view, ports.crypto), { kind: 'approve' }, approver.signer, about))
  }
  return gate.subscribe((event) => {
    if (event.kind === 'held') void approve(event.view)
  })
}

async function runOne({ gate }: Stage): Promise<string> {
  const result = await gate.run(CALL, nothing)
  if (result.kind !== 'completed') throw new Error(`the call was not approved: ${JSON.stringify(result)}`)
  return result.callId
}

function decided(stage: Stage, together: number): Subject {
  approving(stage)
  return { name: 'gate', once: () => timed(together, () => runOne(stage)) }
}

function inserts(bare: BareServer, together: number): Subject {
  return { name: 'inserts', once: () => timed(together, (on) => bare.repeat(randomUUID(), { on })) }
}

/** Nanoseconds per call of a batch. */
async function timed(together: number, once: (at: number) => Promise<unknown>): Promise<number> {
  const start = nanoseconds()
  await Promise.all(Array.from({ length: together }, (_, at) => once(at)))
  return (nanoseconds() - start) / together
}

/** Records the commits of one held and approved call in a warm gate. */
async function recordOne(server: PostgresServer) {
  const from = await freshTables(server)
  const stage = await openStage({ policy: HELD, store: from })
  const stop = approving(stage)
  const recording = recordStatements()
  try {
    await runOne(stage)
    recording.take()
    const id = await runOne(stage)
    const all = recording.take()
    if (process.env['SHOW']) console.log(JSON.stringify(all.map((t) => ({ trips: t.trips, s: t.statements.map((s) => s.name ?? s.text.slice(0, 20)).join(' ') })), null, 1))
    const transactions = all.filter(({ isCommit }) => isCommit)
    if (transactions.length !== COMMITS) throw new Error(`a held call took ${transactions.length} commits`)
    return { transactions, id, from }
  } finally {
    stop()
    recording.stop()
    await stage.close()
  }
}

function nothing(): void {}
