import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { median } from '../interleave.ts'
import type { BenchRow, BenchTable } from '../table.ts'
import { openHomes } from './homes.ts'

const COMMAND = join(import.meta.dirname, '../../packages/cli/bin/countersign.js')

/** A `countersign` command line, and how many times longer than bare Node it may take; null to only measure it. */
export interface Start {
  readonly name: string
  readonly argv: readonly string[]
  readonly most: number | null
}

/** How long the built command takes from start to exit, interleaved with bare Node. */
export async function benchStartup({ quick }: { readonly quick: boolean }): Promise<BenchTable> {
  if (!existsSync(join(COMMAND, '../../dist/main.js'))) throw new Error('build first: npm run build')
  const homes = await openHomes()
  try {
    const { empty, full } = homes
    const starts: readonly Start[] = [
      { name: '--version', argv: ['--version'], most: 1.5 },
      { name: 'risk ls', argv: ['risk', 'ls'], most: 2.5 },
      { name: 'held, empty home', argv: ['held', '--home', empty], most: 3 },
      { name: 'held, full home', argv: ['held', '--home', full], most: 3 },
      { name: 'policy explain ls', argv: ['policy', 'explain', '--home', empty, 'ls'], most: 3 },
      { name: 'exec --no-input -- true', argv: ['exec', '--no-input', '--home', empty, '--', 'true'], most: 3 },
      { name: 'exec, full home', argv: ['exec', '--no-input', '--home', full, '--', 'true'], most: null },
    ]
    return {
      title: 'Start-up',
      rows: await measureStarts(starts, quick ? 3 : 31),
      notes: [
        'Each start is a new process of the built command, interleaved with `node -e 0` of the same Node; V8’s compile cache is warm.',
        'The full home has a policy file, a journal of 200 past calls and 40 held calls.',
      ],
    }
  } finally {
    await homes.close()
  }
}

/** Milliseconds of each command, interleaved with bare Node. */
export async function measureStarts(starts: readonly Start[], turns: number): Promise<readonly BenchRow[]> {
  const commands = starts.map((start) => ({ ...start, times: [] as number[] }))
  const bare: number[] = []
  for (const { argv } of commands) await time(COMMAND, ...argv) // fills the compile cache
  for (let turn = 0; turn < turns; turn += 1) {
    bare.push(await time('-e', '0'))
    for (const { argv, times } of commands) times.push(await time(COMMAND, ...argv))
  }
  return [
    { name: 'node -e 0', median: median(bare), unit: 'ms' },
    ...commands.map(({ name, most, times }): BenchRow => {
      const ratio = median(times.map((ms, at) => ms / (bare[at] ?? Number.NaN)))
      return {
        name: `countersign ${name}`,
        median: median(times),
        unit: 'ms',
        ratio: `${ratio.toFixed(2)}× bare Node`,
        ...(most === null ? {} : { target: `at most ${most}×`, ok: ratio <= most }),
      }
    }),
  ]
}

/** Milliseconds from start to exit of one process; throws if it fails. */
function time(...argv: readonly string[]): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, argv, { stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(performance.now() - start)
      else reject(new Error(`\`${argv.join(' ')}\` ended with ${code}`))
    })
  })
}
