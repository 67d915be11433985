import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountHome, findBubblewrap, runCommand, runContained } from '@countersign/node'
import { planRun } from '../../packages/node/src/contain/profile/plan-run.ts'
import { profileArguments } from '../../packages/node/src/contain/profile/profile.ts'
import { interleave } from '../interleave.ts'
import type { BenchTable } from '../table.ts'

const PLAIN = 'uncontained'
const BARE = 'bubblewrap alone, same profile'
const OURS = 'countersign, contained'
const MOST = 1.5

/** A contained `true`, in turns with bubblewrap alone and with the same command outside. */
export async function benchContain({ quick }: { readonly quick: boolean }): Promise<BenchTable> {
  const bubblewrap = findBubblewrap()
  if (bubblewrap === undefined) throw new Error('install bubblewrap first')
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')))
  try {
    const workspace = sampleProject(root)
    const gate = join(root, 'home')
    mkdirSync(gate, { mode: 0o700 })
    const places = { workspace, gate, home: accountHome() ?? root, temp: tmpdir() }
    const bounds = { workspace: 'write', write: [], read: [], network: [], credentials: [] } as const
    const command = { argv: ['true'], programPath: '/usr/bin/true' } as const
    const profile = profileArguments(planRun(bounds, places, workspace, process.env['PATH']).plan)
    const repeat = (work: () => Promise<unknown>) => async (times: number) => {
      for (let at = 0; at < times; at += 1) await work()
    }
    const measured = await interleave(
      [
        { name: PLAIN, run: repeat(() => runCommand(command, { cwd: workspace, stdio: 'pipe' })) },
        { name: BARE, run: repeat(() => bare(bubblewrap, [...profile, '--chdir', workspace, '--', '/usr/bin/true'])) },
        { name: OURS, run: repeat(() => runContained(command, { cwd: workspace, stdio: 'pipe', bounds, places })) },
      ],
      quick ? { reps: 3, turnMs: 50, warmMs: 50 } : { reps: 25, turnMs: 120, warmMs: 400 },
    )
    const ratio = measured.ratio(OURS, BARE)
    return {
      title: 'Contain: `true` in the sandbox',
      rows: [
        { name: PLAIN, median: measured.median(PLAIN) / 1e6, unit: 'ms' },
        { name: BARE, median: measured.median(BARE) / 1e6, unit: 'ms' },
        {
          name: OURS,
          median: measured.median(OURS) / 1e6,
          unit: 'ms',
          ratio: `${ratio.toFixed(2)}× bubblewrap alone`,
          target: `≤ ${MOST}×`,
          ok: ratio <= MOST,
        },
      ],
      notes: [
        'A git repository with 40 files. Ours also searches the workspace before and after the run, filters system calls, sets limits and closes descriptors.',
      ],
    }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

function sampleProject(root: string): string {
  const workspace = join(root, 'project')
  for (const folder of ['src', 'test', 'docs', '.vscode']) mkdirSync(join(workspace, folder), { recursive: true })
  for (let at = 0; at < 40; at += 1)
    writeFileSync(join(workspace, at % 2 === 0 ? 'src' : 'test', `${at}.ts`), 'export {}\n')
  execFileSync('git', ['init', '-q', workspace])
  return workspace
}

function bare(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: '/usr/bin' }, detached: true })
    child.stdout.resume()
    child.stderr.resume()
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`bubblewrap ended with ${code}`))))
  })
}
