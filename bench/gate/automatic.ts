import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Call } from '@countersign/core'
import { Measured } from '../interleave.ts'
import type { BenchRow } from '../table.ts'
import { BareStore } from './bare-store.ts'
import { measureInTurns, nanoseconds, type Subject, type TurnOptions } from './in-turns.ts'
import { recordWrites } from './recorded-writes.ts'
import { openStage, type Stage } from './stage.ts'

interface Case {
  readonly name: string
  readonly call: Call
  /** Runs unasked only under this policy; under the preset alone when absent. */
  readonly policy?: string
  /** How many times the inserts it may cost; for information only when absent. */
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

/** The automatic path (freeze, digest, policy, entries, SQLite) beside the inserts it makes. */
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
    const subjects = [gated(stage, call), inserts(bare)]
    const measured = new Measured(await measureInTurns(subjects, { ...options, warm, turn }))
    const ratio = measured.ratio('gate', 'inserts')
    return [
      { name: `${name} (risk ${risk}): its inserts alone`, median: measured.median('inserts'), unit: 'ns' },
      {
        name: `${name} (risk ${risk}): gate.run, unasked`,
        median: measured.median('gate'),
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
    async run(times) {
      const start = nanoseconds()
      for (let time = 0; time < times; time += 1) {
        const result = await gate.run(call, nothing)
        if (result.kind !== 'completed') throw new Error(`the call was not run unasked: ${JSON.stringify(result)}`)
      }
      return nanoseconds() - start
    },
  }
}

function inserts(bare: BareStore): Subject {
  return {
    name: 'inserts',
    run(times) {
      let took = 0
      for (let time = 0; time < times; time += 1) {
        bare.prepare(randomBytes(16).toString('hex'))
        const start = nanoseconds()
        bare.repeat()
        took += nanoseconds() - start
      }
      return took
    },
  }
}

/** What one call writes once the gate is warm. */
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
