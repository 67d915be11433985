import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Places, SandboxStatus } from '@countersign/core'
import { findBubblewrap, INSTALL_BUBBLEWRAP } from './bubblewrap.ts'
import { type Canary, canaries, canaryScript } from './canaries.ts'
import { privateFolder } from './profile/private-cache.ts'
import { runContained } from './run-contained.ts'

const TIMEOUT_MS = 20_000

/** One attempt to escape, and whether the sandbox held. */
export interface Attempt extends Pick<Canary, 'name' | 'keepsFrom'> {
  readonly held: boolean
}

/** The result of trying the sandbox. */
export interface Proof {
  readonly status: SandboxStatus
  readonly attempts: readonly Attempt[]
}

/** Tries the sandbox with its real profile: starts it in a temporary workspace and attempts to escape. */
export async function proveSandbox(places: Places): Promise<Proof> {
  if (process.platform === 'darwin')
    return unproven('the macOS sandbox has not been tested yet', 'use Linux, or approve each command')
  if (process.platform !== 'linux') return unproven('there is no sandbox for this system', 'use Linux')
  if (findBubblewrap() === undefined)
    return { status: { kind: 'missing', why: 'bubblewrap was not found', fix: INSTALL_BUBBLEWRAP }, attempts: [] }
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-proof-')))
  const workspace = join(root, 'workspace')
  const server = createServer().listen(0, '127.0.0.1')
  server.on('connection', (socket) => socket.destroy())
  try {
    await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject))
    mkdirSync(join(workspace, '.git/hooks'), { recursive: true })
    writeFileSync(join(workspace, '.git/config'), '')
    const address = server.address()
    return await attempt(
      { ...places, workspace },
      join(root, 'outside'),
      typeof address === 'object' ? (address?.port ?? 0) : 0,
    )
  } finally {
    server.close()
    rmSync(root, { recursive: true, force: true })
    rmSync(privateFolder(places.gate, workspace), { recursive: true, force: true })
  }
}

async function attempt(places: Places, outside: string, port: number): Promise<Proof> {
  const variable = { name: 'COUNTERSIGN_CANARY', value: randomBytes(16).toString('hex') }
  const all = canaries({
    outside,
    gate: places.gate,
    home: places.home,
    variable: `${variable.name}=${variable.value}`,
    port,
  })
  let output = ''
  const ended = await runContained(
    { command: canaryScript(all) },
    {
      cwd: places.workspace,
      places,
      bounds: { workspace: 'write', write: [], read: [], network: [], credentials: [] },
      env: { ...process.env, [variable.name]: variable.value },
      stdio: 'pipe',
      onOutput: (stream, chunk) => {
        if (stream === 'stdout') output += chunk.toString('utf8')
      },
      timeoutMs: TIMEOUT_MS,
    },
  )
  const lines = new Set(output.split('\n'))
  const attempts = all.map(({ name, keepsFrom, leaves }) => ({
    name,
    keepsFrom,
    held: lines.has(`held ${name}`) || (lines.has(`escaped ${name}`) && leaves !== undefined && !existsSync(leaves)),
  }))
  if (ended.how !== 'exited' || !lines.has('worked'))
    return { status: startFailure(ended.problem ?? output), attempts: [] }
  const escaped = attempts.filter(({ held }) => !held).map(({ keepsFrom }) => keepsFrom)
  if (escaped.length === 0) return { status: { kind: 'works', name: 'bubblewrap' }, attempts }
  const why = `a command in the sandbox could ${escaped.join(', ')}`
  return {
    status: { kind: 'broken', why, fix: 'update bubblewrap and the kernel, then run `countersign doctor`' },
    attempts,
  }
}

function unproven(why: string, fix: string): Proof {
  return { status: { kind: 'unproven', why, fix }, attempts: [] }
}

/** Known reasons why bubblewrap does not start, by its message. */
const FIXES: readonly (readonly [shape: RegExp, fix: string])[] = [
  [
    /RTM_NEWADDR|uid map: Permission denied/i,
    'allow bubblewrap in AppArmor: `apt install apparmor-profiles`, then load `/usr/share/apparmor/extra-profiles/bwrap-userns-restrict` with `apparmor_parser`',
  ],
  [/uid map: Operation not permitted/i, 'run countersign as an ordinary user, or give root CAP_SETFCAP'],
  [
    /No space left|namespace failed|No permissions to create/i,
    'turn user namespaces on: `sysctl user.max_user_namespaces=15000` and, on Debian, `sysctl kernel.unprivileged_userns_clone=1`',
  ],
  [/mount proc/i, 'run the container with an unmasked /proc, or countersign outside it'],
  [/Unknown option/i, 'install bubblewrap 0.8 or newer'],
]

function startFailure(message: string): SandboxStatus {
  const why = message.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
  const fix = FIXES.find(([shape]) => shape.test(message))?.[1] ?? 'run `countersign contain -- true` to see why'
  return { kind: 'broken', why: why === '' ? 'the sandbox did not start' : why, fix }
}
