import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Call } from '@countersign/core'
import type { BenchRow } from '../table.ts'
import { BareStore } from './bare-store.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from './in-turns.ts'
import { recordWrites } from './recorded-writes.ts'
import { openStage, type Stage } from './stage.ts'

interface Case {
  readonly name: string
  readonly call: Call
  readonly most?: number
}

/** Runs unasked also at risk medium, so that the synced path can be measured alone. */
const POLICY = `version: 1
rules:
  - id: project-writes
    kind: write
    path: { inside: "\${workspace}" }
    supervision: automatic
`

const CASES: readonly Case[] = [
  { name: 'read_file', call: { tool: 'read_file', args: { path: 'src/index.ts' } }, most: 3 },
  { name: 'git status', call: { tool: 'execute_command', args: { command: 'git status' } }, most: 3 },
  {
    name: 'write_file, on disk first',
    call: { tool: 'write_file', args: { path: 'src/index.ts', content: 'export {}\n' } },
  },
]

/** The automatic path (freeze, digest, policy, entries, SQLite) beside the inserts it makes. */
export async function benchAutomatic(options: TurnOptions): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const one of CASES) rows.push(...(await benchCase(one, options)))
  return rows
}

async function benchCase({ name, call, most }: Case, options: TurnOptions): Promise<readonly BenchRow[]> {
  const { transactions, id, risk } = await recordOne(call)
  const stage = await openStage({ policy: POLICY })
  const bare = await BareStore.open(join(stage.root, 'bare/store.db'), transactions, id)
  try {
    const medians = await measureInTurns([gated(stage, call), inserts(bare)], options)
    const gate = medians.get('gate') ?? Number.NaN
    const floor = medians.get('inserts') ?? Number.NaN
    const ratio = gate / floor
    return [
      { name: `${name} (${risk}): its inserts alone`, median: floor, unit: 'ns' },
      {
        name: `${name} (${risk}): gate.run, unasked`,
        median: gate,
        unit: 'ns',
        ratio: `${ratio.toFixed(2)}× the inserts`,
        ...(most === undefined ? {} : { target: `≤ ${most}×`, ok: ratio <= most }),
      },
    ]
  } finally {
    bare.close()
    await stage.close()
  }
}

function gated({ gate }: Stage, call: Call): Subject {
  return {
    name: 'gate',
    async once() {
      const start = nanoseconds()
      const result = await gate.run(call, nothing)
      const took = nanoseconds() - start
      if (result.kind !== 'completed') throw new Error(`the call was not run unasked: ${JSON.stringify(result)}`)
      return took
    },
  }
}

function inserts(bare: BareStore): Subject {
  return {
    name: 'inserts',
    once() {
      bare.prepare(randomBytes(16).toString('hex'))
      const start = nanoseconds()
      bare.repeat()
      return nanoseconds() - start
    },
  }
}

/** What one call writes once the gate is warm. */
async function recordOne(call: Call) {
  const recording = recordWrites()
  try {
    const stage = await openStage({ policy: POLICY })
    let risk = ''
    stage.gate.subscribe((event) => {
      if (event.kind === 'judged') risk = event.judgement.risk.level
    })
    await stage.gate.run(call, nothing)
    recording.take()
    const { callId } = await stage.gate.run(call, nothing)
    const transactions = recording.take()
    await stage.close()
    return { transactions, id: callId, risk }
  } finally {
    recording.stop()
  }
}

function nothing(): void {}
