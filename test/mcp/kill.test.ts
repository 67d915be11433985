import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startCli } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type LinePeer, startPeer } from './support/line-peer.ts'
import { type RecordedServer, recordedServer } from './support/recorded-server.ts'
import { initialize, openRelayHome, type RelayHome } from './support/relay-home.ts'

const POLICY = `version: 1
rules:
  - { tool: "*/stall", supervision: automatic, up_to: critical }
  - { tool: "*/note", supervision: confirm }
`
const CLIENT = join(import.meta.dirname, 'support/client-child.ts')

/** Where a call can be when something dies. */
const STAGES = ['starting', 'idle', 'held', 'approved', 'running'] as const
type Stage = (typeof STAGES)[number]

function open(): { readonly home: RelayHome; readonly server: RecordedServer } {
  const home = openRelayHome(temporaryFolder(), POLICY)
  onTestFinished(() => home.close())
  return { home, server: recordedServer(home, 'recording') }
}

async function poll(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20))
}

function isAlive(pid: number | undefined): boolean {
  if (pid === undefined) return false
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** Brings a proxy to a stage; its call has the id 1. */
async function bring(peer: LinePeer, stage: Stage, { home, server }: ReturnType<typeof open>): Promise<void> {
  if (stage === 'starting') return
  await initialize(peer)
  if (stage === 'idle') return
  const name = stage === 'running' ? 'stall' : 'note'
  peer.send({ id: 1, method: 'tools/call', params: { name, arguments: { text: 'x' } } })
  await arrive(stage, { home, server })
}

/** Waits until the call is where the stage says; an approved one may be on its way already. */
async function arrive(stage: Stage, { home, server }: ReturnType<typeof open>): Promise<void> {
  if (stage === 'running') return poll(() => server.effects().length === 1)
  const [view] = await home.held(1)
  if (stage === 'approved' && view !== undefined) await home.decide(view, { kind: 'approve' })
}

/** INVARIANT: what ran was approved, or needed nobody; and nothing ran twice. */
function expectNothingUnasked(stage: Stage, server: RecordedServer): void {
  const names = server.effects().map(({ name }) => name)
  if (stage === 'running') expect(names).toEqual(['stall'])
  else if (stage === 'approved') expect(['', 'note']).toContain(names.join())
  else expect(names).toEqual([])
}

/** The client is told, and the proxy ends. */
async function killServer(stage: Stage): Promise<void> {
  const world = open()
  const peer = startPeer(world.server.command)
  if (stage === 'starting') await poll(() => world.server.pid() !== undefined)
  await bring(peer, stage, world)
  const pid = world.server.pid()
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
  await peer.ended
  if (stage === 'held' || stage === 'running') expect(peer.said.find(({ id }) => id === 1)).toBeDefined()
  await poll(async () => (await world.home.held(0)).length === 0)
  expectNothingUnasked(stage, world.server)
}

/** The server ends by itself, and nothing stays to be decided. */
async function killProxy(stage: Stage): Promise<void> {
  const world = open()
  const peer = startPeer(world.server.command)
  if (stage === 'starting') await poll(() => world.server.pid() !== undefined)
  await bring(peer, stage, world)
  peer.child.kill('SIGKILL')
  await peer.ended
  await poll(() => !isAlive(world.server.pid()))
  await poll(async () => (await world.home.held(0)).length === 0)
  expectNothingUnasked(stage, world.server)
}

/** The proxy and the server end, and the call is withdrawn. */
async function killClient(stage: Stage): Promise<void> {
  const world = open()
  const { child, proxy } = await startClientProcess(stage, world.server)
  if (stage !== 'starting' && stage !== 'idle') await arrive(stage, world)
  child.kill('SIGKILL')
  await poll(() => !isAlive(proxy) && !isAlive(world.server.pid()))
  await poll(async () => (await world.home.held(0)).length === 0)
  expectNothingUnasked(stage, world.server)
}

/** The call goes on without it: the store is where a person and a call meet. */
async function killService(stage: Stage): Promise<void> {
  const world = open()
  const service = startCli(['--home', world.home.dir, 'serve', '--json', '--port', '0'], world.home.workspace)
  onTestFinished(() => void service.kill('SIGKILL'))
  await firstWords(service)
  const peer = startPeer(world.server.command)
  if (stage === 'starting') service.kill('SIGKILL')
  await bring(peer, stage, world)
  service.kill('SIGKILL')
  await poll(() => service.exitCode !== null || service.signalCode !== null)
  expectNothingUnasked(stage, world.server)
  if (stage === 'held') {
    const [view] = await world.home.held(1)
    if (view !== undefined) await world.home.decide(view, { kind: 'approve' })
  }
  if (stage === 'held' || stage === 'approved') {
    await peer.until(({ id }) => id === 1)
    expect(world.server.effects().map(({ name }) => name)).toEqual(['note'])
  }
  peer.child.stdin?.end()
  await peer.ended
}

/** Starting a service takes seconds; what does not touch it is left to the long run. */
const WITH_SERVICE: readonly Stage[] =
  process.env['COUNTERSIGN_FULL'] === undefined ? ['held', 'approved', 'running'] : STAGES

describe('kill -9 at every stage: nothing runs unasked, nobody hangs', () => {
  for (const stage of STAGES)
    it(`${stage}: the server, the proxy, the client`, async () => {
      await Promise.all([killServer(stage), killProxy(stage), killClient(stage)])
    }, 120_000)

  for (const stage of WITH_SERVICE) it(`${stage}: the service`, () => killService(stage), 120_000)
})

async function startClientProcess(stage: Stage, server: RecordedServer) {
  const told = stage === 'starting' || stage === 'idle' ? stage : 'calling'
  const tool = stage === 'running' ? 'stall' : 'note'
  const argv = ['--conditions=countersign-source', '--no-warnings', CLIENT, told, tool, JSON.stringify(server.command)]
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    printed += chunk
  })
  await poll(() => printed.includes('ready'))
  return { child, proxy: Number(printed.split('\n')[0]) }
}

function firstWords(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error('the service did not start')))
    child.stdout?.once('data', () => resolve())
  })
}
