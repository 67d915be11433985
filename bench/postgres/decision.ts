import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Call, type HeldCallView, openView, signDecision } from '@countersign/core'
import { recordStatements } from '@countersign/testing/postgres/recorded-statements'
import type { PostgresServer } from '@countersign/testing/postgres/server'
import { compared } from '../gate/compared.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from '../gate/in-turns.ts'
import { openStage, type Stage } from '../gate/stage.ts'
import type { BenchRow } from '../table.ts'
import { BareServer } from './bare-server.ts'
import { freshTables, type Goal } from './clients.ts'

const HELD = `version: 1
rules:
  - id: ask-reads
    kind: read
    supervision: confirm
`
const CALL: Call = { tool: 'forecast', args: { city: 'Graz' }, description: { kind: 'read' } }
/** Held, decided, started, closed. */
const COMMITS = 4
const HELD_BY = 1
/** The person looks at it: the caller and the server are asleep when the decision arrives. */
const PARKED_MS = 1

/** A call from its request to its end, held and approved in the same process, compared with the inserts of its rows. */
export async function benchDecision(
  server: PostgresServer,
  options: TurnOptions,
  goal: Goal,
): Promise<readonly BenchRow[]> {
  const recorded = await recordOne(server)
  const stage = await openStage({ policy: HELD, store: await freshTables(server) })
  const bare = await BareServer.open(recorded.transactions, { ...recorded, to: await freshTables(server) })
  try {
    const turns = await measureInTurns(decided(stage), [inserts(bare)], options)
    const name = `decided call${goal.about}`
    return [
      { name: `${name}: inserts only`, median: turns.means.median('inserts'), unit: 'ns' },
      ...compared(turns, {
        key: 'gate',
        name: `${name}: held, decided, started, closed`,
        floor: 'the inserts',
        most: goal.most,
      }),
    ]
  } finally {
    await bare.close()
    await stage.close()
  }
}

/** Holds one call and approves it. The nanoseconds until it is held, and from the decision to its end: the person's time does not count. */
async function decideOne({ gate, desk, ports, approver }: Stage, held: Held) {
  const asked = nanoseconds()
  const over = gate.run(CALL, nothing)
  const { view, at } = await held()
  await pause(PARKED_MS)
  const about = { surface: 'bench', at: Date.now() }
  const signed = signDecision(openView(view, ports.crypto), { kind: 'approve' }, approver.signer, about)
  const decided = nanoseconds()
  const receipt = desk.decide(view.id, signed)
  const result = await over
  const ended = nanoseconds()
  if (result.kind !== 'completed' || !(await receipt).accepted) throw new Error('the call was not approved')
  return { id: view.id, took: at - asked + (ended - decided) }
}

interface Shown {
  readonly view: HeldCallView
  readonly at: number
}

/** The next call that is held. */
type Held = () => Promise<Shown>

function watchHeld({ gate }: Stage): Held {
  const waiting: ((shown: Shown) => void)[] = []
  gate.subscribe((event) => {
    if (event.kind === 'held') waiting.shift()?.({ view: event.view, at: nanoseconds() })
  })
  return () => new Promise((resolve) => waiting.push(resolve))
}

function decided(stage: Stage): Subject {
  const held = watchHeld(stage)
  return { name: 'gate', once: async () => (await decideOne(stage, held)).took }
}

function inserts(bare: BareServer): Subject {
  return {
    name: 'inserts',
    async once() {
      const id = randomUUID()
      const start = nanoseconds()
      await bare.repeat(id, { to: HELD_BY })
      const held = nanoseconds()
      await pause(PARKED_MS)
      const decided = nanoseconds()
      await bare.repeat(id, { from: HELD_BY })
      return held - start + (nanoseconds() - decided)
    },
  }
}

/** Records the commits of one held and approved call in a warm gate. */
async function recordOne(server: PostgresServer) {
  const from = await freshTables(server)
  const stage = await openStage({ policy: HELD, store: from })
  const held = watchHeld(stage)
  const recording = recordStatements()
  try {
    await decideOne(stage, held)
    recording.take()
    const { id } = await decideOne(stage, held)
    const transactions = recording.take().filter(({ isCommit }) => isCommit)
    if (transactions.length !== COMMITS) throw new Error(`a held call took ${transactions.length} commits`)
    return { transactions, id, from }
  } finally {
    recording.stop()
    await stage.close()
  }
}

function nothing(): void {}
