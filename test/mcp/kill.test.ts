import type { ChildProcess } from 'node:child_process'
import { startCli } from '@countersign/testing/command/spawn-cli'
import { isAlive } from '@countersign/testing/process-alive'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openHttpClient } from './support/http-client.ts'
import {
  type Connected,
  connect,
  type KillWorld,
  openKillWorld,
  STAGES,
  type Stage,
  startClientProcess,
  toolAt,
} from './support/kill-world.ts'
import type { Rpc } from './support/line-peer.ts'
import { WAYS, type Way } from './support/ways.ts'

const isFull = process.env['COUNTERSIGN_FULL'] !== undefined
/** `npm run test:full` runs the other stages over HTTP. */
const HTTP_STAGES: readonly Stage[] = ['held', 'running', 'answering']

/** Brings a client to a stage; returns how its call ends. */
async function bring(client: Connected, stage: Stage, world: KillWorld): Promise<{ readonly answer: Promise<Answer> }> {
  if (stage === 'starting') return { answer: NONE }
  await client.greet()
  if (stage === 'idle') return { answer: NONE }
  const call = { id: 1, method: 'tools/call', params: { name: toolAt(stage), arguments: { text: 'x' } } }
  const answer = client.ask(call)
  await arrive(stage, world)
  return { answer }
}

type Answer = Rpc | 'broken' | 'none'
const NONE = Promise.resolve<Answer>('none')

/** Waits until the call reaches the stage; an approved one may already be further. */
async function arrive(stage: Stage, { home, server }: KillWorld): Promise<void> {
  if (stage === 'starting' || stage === 'idle') return
  if (stage === 'running' || stage === 'answering') {
    await until('the effect', () => server.effects().length === 1)
    return
  }
  const [view] = await home.held(1)
  if (stage === 'approved' && view !== undefined) await home.decide(view, { kind: 'approve' })
}

/** INVARIANT: every call that ran was approved or needed no approval, none ran twice, and none is left held. */
async function expectNothingUnasked(stage: Stage, { home, server }: KillWorld): Promise<void> {
  await until('nothing to be held', async () => (await home.held(0)).length === 0)
  const names = server.effects().map(({ name }) => name)
  if (stage === 'running' || stage === 'answering') expect(names).toEqual([toolAt(stage)])
  else if (stage === 'approved') expect(['', 'note']).toContain(names.join())
  else expect(names).toEqual([])
}

function killProcess(pid: number | undefined): void {
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}

/** The client gets an error. The proxy of a stdio server exits with it; others report that the server is unreachable. */
async function killServer(stage: Stage, world: KillWorld): Promise<void> {
  const client = await connect(world)
  if (stage === 'starting') await until('the server to start', () => world.server.pid() !== undefined)
  const { answer } = await bring(client, stage, world)
  killProcess(world.server.pid())
  if (world.way === 'pipe') await gone(client.proxy)
  else if (stage === 'starting') expect(await client.greet()).toHaveProperty('error')
  else if (stage === 'idle') expect(await client.ask({ id: 2, method: 'tools/list' })).toHaveProperty('error')
  else if (stage === 'held') {
    const [view] = await world.home.held(1)
    if (view !== undefined) await world.home.decide(view, { kind: 'approve' })
  }
  // Over HTTP an approved call is compared with the server's tool list again, which is no longer available.
  if (stage === 'held' && world.way !== 'pipe') expect(await answer).toMatchObject({ result: { isError: true } })
  else if (stage === 'held' || stage === 'running' || stage === 'answering')
    expect(await answer).toHaveProperty('error')
  await answer
  await expectNothingUnasked(stage, world)
  await client.end()
}

/** No call stays held, and a stdio server exits by itself. */
async function killProxy(stage: Stage, world: KillWorld): Promise<void> {
  const client = await connect(world)
  if (stage === 'starting') await until('the server to start', () => world.server.pid() !== undefined)
  const { answer } = await bring(client, stage, world)
  client.proxy.kill('SIGKILL')
  await gone(client.proxy)
  await answer
  if (world.way === 'pipe') await until('the server to end', () => !isAlive(world.server.pid()))
  await expectNothingUnasked(stage, world)
}

/** The call is withdrawn. A stdio proxy exits with its server; an HTTP proxy stays available. */
async function killClient(stage: Stage, world: KillWorld): Promise<void> {
  const { child, proxy, url } = await startClientProcess(stage, world)
  await arrive(stage, world)
  child.kill('SIGKILL')
  if (url === null) await until('the proxy to end', () => !isAlive(proxy))
  else await expectAnswers(url)
  if (world.way === 'pipe') await until('the server to end', () => !isAlive(world.server.pid()))
  await expectNothingUnasked(stage, world)
}

async function expectAnswers(url: string): Promise<void> {
  const next = await openHttpClient(url)
  expect(await next.ask({ id: 1, method: 'tools/list' })).toHaveProperty('result')
  next.close()
}

/** The call continues: person and call meet in the store, not in the service. */
async function killService(stage: Stage, world: KillWorld): Promise<void> {
  const { home, server } = world
  const service = startCli(['--home', home.dir, 'serve', '--json', '--port', '0'], home.workspace)
  onTestFinished(() => void service.kill('SIGKILL'))
  await firstWords(service)
  const client = await connect(world)
  if (stage === 'starting') service.kill('SIGKILL')
  const { answer } = await bring(client, stage, world)
  service.kill('SIGKILL')
  await gone(service)
  if (stage === 'held') {
    const [view] = await home.held(1)
    expect(server.effects()).toEqual([])
    if (view !== undefined) await home.decide(view, { kind: 'approve' })
  }
  if (stage === 'held' || stage === 'approved') {
    expect(await answer).toHaveProperty('result')
    expect(server.effects().map(({ name }) => name)).toEqual(['note'])
  } else await expectNothingUnasked(stage, world)
  await client.end()
}

const KILLS = { server: killServer, proxy: killProxy, client: killClient }

/** Starting a service takes seconds; stages that do not involve it run only in the full run. */
function stagesOfService(way: Way): readonly Stage[] {
  if (isFull) return STAGES
  return way === 'pipe' ? ['held', 'approved', 'running'] : ['held']
}

describe.each(WAYS)('kill -9 at every stage: nothing runs without asking, nobody hangs (%s)', (way) => {
  it.each(way === 'pipe' || isFull ? STAGES : HTTP_STAGES)(
    `%s: the ${Object.keys(KILLS).join(', the ')}`,
    async (stage) => {
      await Promise.all(Object.values(KILLS).map(async (kill) => kill(stage, await openKillWorld(way))))
    },
    120_000,
  )

  it.each(stagesOfService(way))(
    '%s: the service',
    async (stage) => killService(stage, await openKillWorld(way)),
    120_000,
  )
})

async function gone(child: ChildProcess): Promise<void> {
  await until('the client to end', () => child.exitCode !== null || child.signalCode !== null)
}

function firstWords(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('close', () => reject(new Error('the service did not start')))
    child.stdout?.once('data', () => resolve())
  })
}
