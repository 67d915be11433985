import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../interleave.ts'
import { ensurePeers } from '../peers/install.ts'
import type { BenchRow, BenchTable } from '../table.ts'

const COMMAND = join(import.meta.dirname, '../../packages/cli/bin/countersign.js')
const PEERS = join(import.meta.dirname, '../peers/node_modules')

/** A hook's command line, and how many times longer than bare Node it may take; null to only measure it. */
interface Hook {
  readonly name: string
  readonly argv: readonly string[]
  readonly most: number | null
}

/** How long a whole hook process takes for a call that nobody is asked about, in turns with bare Node and other gates' hooks. */
export async function benchHooks({ quick }: { readonly quick: boolean }): Promise<BenchTable> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')))
  const workspace = join(root, 'project')
  mkdirSync(workspace)
  const served = homeIn(root, 'served')
  const alone = homeIn(root, 'alone')
  const service = await startService(served)
  const hook = (home: string) => [COMMAND, 'hook', 'claude-code', 'PreToolUse', '--home', home]
  const ours: readonly Hook[] = [
    { name: 'countersign hook, service running', argv: hook(served), most: 1.6 },
    { name: 'countersign hook, no service', argv: hook(alone), most: 3 },
  ]
  const peers: readonly Hook[] = [
    {
      name: 'cc-safety-net 2.4.5',
      argv: [join(PEERS, 'cc-safety-net/dist/bin/cc-safety-net.js'), 'hook', '--claude-code'],
      most: null,
    },
    { name: 'tdd-guard 1.7.0', argv: [join(PEERS, 'tdd-guard/dist/cli/tdd-guard.js')], most: null },
  ]
  const hasPeers = ensurePeers()
  try {
    return {
      title: 'Hooks of coding agents',
      rows: await measure([...ours, ...(hasPeers ? peers : [])], workspace, quick ? 3 : 31),
      notes: [
        'Each turn is a new process that reads one `PreToolUse` event of Claude Code for `ls -la` on stdin and answers that it may run; bare Node is `node -e 0` of the same Node.',
        'The other gates match patterns in the command and keep no record; ours rates it, judges it by policy, commits it to the journal and hands out the ticket for its sandbox.',
        ...(hasPeers ? [] : ['The other gates could not be installed.']),
      ],
    }
  } finally {
    await stopped(service)
    rmSync(root, { recursive: true, force: true })
  }
}

function homeIn(root: string, name: string): string {
  const home = join(root, name)
  mkdirSync(home, { mode: 0o700 })
  return home
}

async function startService(home: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [COMMAND, 'serve', '--home', home, '--json', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
  })
  return child
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

async function measure(hooks: readonly Hook[], cwd: string, turns: number): Promise<readonly BenchRow[]> {
  const bare: number[] = []
  const times = hooks.map(() => [] as number[])
  for (let turn = -2; turn < turns; turn += 1) {
    const under = await time(['-e', '0'], cwd, `${turn}`)
    const found: number[] = []
    for (const { argv } of hooks) found.push(await time(argv, cwd, `${turn}`))
    if (turn < 0) continue // the first turns fill the compile caches
    bare.push(under)
    for (const [at, ms] of found.entries()) times[at]?.push(ms)
  }
  return [
    { name: 'node -e 0', median: median(bare), unit: 'ms' },
    ...hooks.map(({ name, most }, at): BenchRow => {
      const own = times[at] ?? []
      const ratio = median(own.map((ms, turn) => ms / (bare[turn] ?? Number.NaN)))
      return {
        name,
        median: median(own),
        unit: 'ms',
        ratio: `${ratio.toFixed(2)}× bare Node`,
        ...(most === null ? {} : { target: `at most ${most}×`, ok: ratio <= most }),
      }
    }),
  ]
}

/** Milliseconds from start to exit of one hook; throws if it refuses or fails. */
function time(argv: readonly string[], cwd: string, turn: string): Promise<number> {
  const event = {
    session_id: 'bench',
    transcript_path: join(cwd, 'transcript.jsonl'),
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'ls -la' },
    tool_use_id: `toolu_${turn}_${argv.length}`,
  }
  const start = performance.now()
  const child = spawn(process.execPath, argv, { cwd, stdio: ['pipe', 'pipe', 'ignore'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stdin.on('error', () => {}) // bare Node does not read it
  child.stdin.end(JSON.stringify(event))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0 && !output.includes('"deny"')) resolve(performance.now() - start)
      else reject(new Error(`\`${argv.join(' ')}\` ended with ${code}: ${output}`))
    })
  })
}
