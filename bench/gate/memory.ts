import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { BenchRow, BenchTable } from '../table.ts'

/** The child's measurements. */
export interface HeldFigures {
  readonly count: number
  /** Resident memory of the process after a garbage collection, and after one that also releases V8's reserve. */
  readonly rssMb: number
  readonly pressedMb: number
  readonly holdMs: number
  readonly decideMs: number
}

const CHILD = fileURLToPath(new URL('memory-child.ts', import.meta.url))
const MOST_MB = 300
const CALLS = 10_000
const QUICK_CALLS = 1_000

/** Many held calls of 1 KB in their own process. */
export function benchMemory(options: { readonly quick: boolean }): BenchTable {
  const most = options.quick ? QUICK_CALLS : CALLS
  const grown = holdMany(most)
  const { count, rssMb, pressedMb, holdMs, decideMs } = holdMany(most, 'small')
  const calls = `${count.toLocaleString('en')} held calls of 1 KB`
  const memory: BenchRow = { name: `${calls}: resident memory of the process`, median: rssMb, unit: 'MB' }
  return {
    title: 'Gate: many held calls',
    rows: [
      options.quick ? memory : { ...memory, target: `< ${MOST_MB} MB`, ok: rssMb < MOST_MB },
      { name: `${calls}: the same without keepHeapSmall()`, median: grown.rssMb, unit: 'MB' },
      { name: `${calls}: the same without V8’s reserve`, median: pressedMb, unit: 'MB' },
      { name: `${calls}: time to hold one`, median: holdMs * 1e6, unit: 'ns' },
      { name: `${calls}: from desk.decide to the used permit`, median: decideMs * 1e6, unit: 'ns' },
    ],
    notes: [
      'memory after a garbage collection, including the TypeScript loader; every call is sealed in a real store',
      'the process calls `keepHeapSmall()` first, as one that holds thousands of calls should',
    ],
  }
}

function holdMany(count: number, ...more: readonly 'small'[]): HeldFigures {
  const args = ['--conditions=countersign-source', '--expose-gc', CHILD, String(count), ...more]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`holding ${count} calls failed: ${stderr}`)
  return JSON.parse(stdout) as HeldFigures
}
