import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Call } from '@countersign/core'
import type { BenchRow } from '../table.ts'
import { BareStore } from './bare-store.ts'
import { compared } from './compared.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from './in-turns.ts'
import { recordWrites } from './recorded-writes.ts'
import { openStage, type Stage } from './stage.ts'

interface Case {
  readonly name: string
  readonly call: Call
  /** The policy that makes the call automatic; only the preset if absent. */
  readonly policy?: string
  /** The target as a multiple of the inserts; none if absent. */
  readonly most?: number
  readonly turn: number
}

const WRITES_UNASKED = `version: 1
rules:
  - id: project-writes
    kind: write
    path: { inside: "\${workspace}" }
    supervision: automatic
`

const CASES: readonly Case[] = [
  { name: 'read_file', call: { tool: 'read_file', args: { path: 'src/index.ts' } }, most: 3, turn: 200 },
  { name: 'git status', call: { tool: 'execute_command', args: { command: 'git status' } }, most: 3, turn: 200 },
  {
    name: 'write_file, synced',
    call: { tool: 'write_file', args: { path: 'src/index.ts', content: 'export {}\n' } },
    policy: WRITES_UNASKED,
    turn: 20,
  },
]

/** The automatic path (freeze, digest, policy, entries, SQLite) compared with its inserts. */
export async function benchAutomatic(options: Omit<TurnOptions, 'turn'>): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const one of CASES) rows.push(...(await benchCase(one, options)))
  return rows
}

async function benchCase(one: Case, options: Omit<TurnOptions, 'turn'>): Promise<readonly BenchRow[]> {
  const { name, call, most, policy, turn } = one
  const { transactions, id, risk } = await recordOne(one)
  const stage = await openStage(policy === undefined ? {} : { policy })
  const bare = await BareStore.open(join(stage.root, 'bare/store.db'), transactions, id)
  try {
    const warm = Math.min(options.warm, turn * 20)
    const turns = await measureInTurns(gated(stage, call), [inserts(bare)], { ...options, warm, turn })
    const about = `${name} (risk ${risk})`
    return [
      { name: `${about}: inserts only`, median: turns.means.median('inserts'), unit: 'ns' },
      ...compared(turns, { key: 'gate', name: `${about}: gate.run`, floor: 'the inserts', most }),
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
      if (result.kind !== 'completed') throw new Error(`the call did not run automatically: ${JSON.stringify(result)}`)
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

/** Records the writes of one call in a warm gate. */
async function recordOne({ call, policy }: Case) {
  const recording = recordWrites()
  try {
    const stage = await openStage(policy === undefined ? {} : { policy })
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
