import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPtyMaker } from '@countersign/testing/command/pty'
import { median } from '../interleave.ts'
import type { BenchRow } from '../table.ts'

const COMMAND = join(import.meta.dirname, '../../packages/cli/bin/countersign.js')
const MOST = 2.5

/** How long the built command takes to respond, compared with bare Node. */
export async function benchColdStart(turns: number): Promise<readonly BenchRow[]> {
  if (!existsSync(join(COMMAND, '../../dist/main.js'))) throw new Error('build first: npm run build')
  const hello: number[] = []
  const help: number[] = []
  await time(COMMAND, '--help') // fills Node's compile cache
  for (let turn = 0; turn < turns; turn += 1) {
    hello.push(await time('-e', 'console.log("hello")'))
    help.push(await time(COMMAND, '--help'))
  }
  const ratio = median(help.map((ms, at) => ms / (hello[at] ?? Number.NaN)))
  return [
    { name: 'node -e console.log("hello")', median: median(hello), unit: 'ms' },
    {
      name: 'countersign --help',
      median: median(help),
      unit: 'ms',
      ratio: `${ratio.toFixed(2)}× bare Node`,
      target: `at most ${MOST}×`,
      ok: ratio <= MOST,
    },
    ...(await benchFirstPaint(Math.min(turns, 7))),
  ]
}

/** From the start of the process to the first frame of the queue. */
async function benchFirstPaint(turns: number): Promise<readonly BenchRow[]> {
  const maker = findPtyMaker()
  if (maker !== 'script') return []
  const home = mkdtempSync(join(tmpdir(), 'countersign-bench-'))
  try {
    const paints: number[] = []
    for (let turn = 0; turn <= turns; turn += 1) {
      const took = await firstPaint(home)
      if (turn > 0) paints.push(took)
    }
    return [{ name: 'countersign watch, to the first frame', median: median(paints), unit: 'ms' }]
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** Ends a start whose first frame is not the one that is looked for. */
const STUCK_MS = 20_000

function firstPaint(home: string): Promise<number> {
  const line = `stty cols 80 rows 24; exec '${process.execPath}' '${COMMAND}' watch --home '${home}'`
  const start = performance.now()
  const child = spawn('script', ['-qec', line, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm' },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  let shown = ''
  let took = Number.NaN
  return new Promise((resolve, reject) => {
    const stuck = setTimeout(() => child.stdin.write('q'), STUCK_MS)
    child.on('error', reject)
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      shown += chunk
      if (!Number.isNaN(took) || !shown.includes('No held calls')) return
      took = performance.now() - start
      child.stdin.write('q')
    })
    child.on('close', () => {
      clearTimeout(stuck)
      if (Number.isNaN(took)) reject(new Error(`watch showed no frame: ${shown}`))
      else resolve(took)
    })
  })
}

function time(...argv: readonly string[]): Promise<number> {
  const start = performance.now()
  const child = spawn(process.execPath, argv, { stdio: 'ignore' })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(performance.now() - start))
  })
}
