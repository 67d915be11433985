import { createServer, connect as dial, type Socket } from 'node:net'
import { join } from 'node:path'
import { connectGate } from '@countersign/node'
import { openServiceWorld, type ServiceWorld } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

/** A socket in front of the service, whose connections a test can break. */
async function openBreaker(world: ServiceWorld) {
  const path = join(temporaryFolder(), 's')
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = dial(world.service.socket)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('error', () => {})
      one.on('close', () => other.destroy())
      one.pipe(other)
    }
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => void server.close())
  return {
    path,
    isConnected: () => sockets.size > 0,
    break: () => {
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
  }
}

async function openWorld() {
  const world = await openServiceWorld()
  const breaker = await openBreaker(world)
  const gate = await connectGate({
    address: { socket: breaker.path },
    comesBack: true,
    workspace: world.workspace,
    version: '0.1.0',
  })
  onTestFinished(() => gate.close())
  return { world, breaker, gate }
}

const kinds = async (world: ServiceWorld, call: string) =>
  (await world.entries()).filter((entry) => entry['call'] === call).map((entry) => entry['kind'])

describe('an asker that can come back', () => {
  it('gets the permit of a call that was held when its connection broke', async () => {
    const { world, breaker, gate } = await openWorld()
    const asked = gate.ask({ id: 'c1', tool: 'jot', args: { text: 'hi' } })
    const [view] = await world.held(1)
    breaker.break()
    await until('the asker to be back', breaker.isConnected)
    if (view === undefined) throw new Error('nothing is held')
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: true })
    expect(await asked).toMatchObject({ kind: 'permit', callId: 'c1', args: { text: 'hi' } })
    await gate.settle({ callId: 'c1' }, 'completed')
    expect((await kinds(world, 'c1')).filter((kind) => kind === 'started')).toHaveLength(1)
    expect((await kinds(world, 'c1')).at(-1)).toBe('completed')
  })

  it('reports the outcome of a permit that it got on a connection before', async () => {
    const { world, breaker, gate } = await openWorld()
    expect(await gate.ask({ id: 'c2', tool: 'look', args: {} })).toMatchObject({ kind: 'permit' })
    breaker.break()
    await gate.settle({ callId: 'c2' }, 'completed')
    await gate.settle({ callId: 'c2' }, 'completed')
    expect((await kinds(world, 'c2')).filter((kind) => kind === 'completed')).toHaveLength(1)
    await expect(gate.settle({ callId: 'c2' }, 'failed')).rejects.toMatchObject({ code: 'CS_PERMIT_SPENT' })
  })

  it('withdraws its held calls when it closes', async () => {
    const { world, gate } = await openWorld()
    void gate.ask({ id: 'c3', tool: 'jot', args: {} })
    await world.held(1)
    gate.close()
    await until('the call to be withdrawn', async () => (await kinds(world, 'c3')).includes('withdrawn'))
  })

  it('withdraws a call that it takes back', async () => {
    const { world, gate } = await openWorld()
    const abort = new AbortController()
    const asked = gate.ask({ id: 'c4', tool: 'jot', args: {} }, { signal: abort.signal })
    await world.held(1)
    abort.abort()
    expect(await asked).toMatchObject({ kind: 'refusal', outcome: 'withdrawn' })
    await until('the call to be withdrawn', async () => (await kinds(world, 'c4')).includes('withdrawn'))
  })

  it('is told that another call has its id, and gets no call of another asker (A10)', async () => {
    const { world, breaker, gate } = await openWorld()
    const stranger = await world.connect()
    void stranger.ask({ id: 'c5', tool: 'jot', args: {} })
    await world.held(1)
    const asked = gate.ask({ id: 'c5', tool: 'jot', args: {} })
    breaker.break()
    expect(await asked).toMatchObject({ kind: 'refusal', code: 'CS_CALL_DUPLICATE' })
    await expect(gate.settle({ callId: 'c5' }, 'completed')).rejects.toMatchObject({ code: 'CS_PERMIT_FORGED' })
    stranger.close()
  })

  it('runs nothing again under the id of a call that was started or has other arguments (L1)', async () => {
    const { world } = await openWorld()
    const resume = 'r'.repeat(43)
    const hello = { protocol: 1, version: '0.1.0', workspace: world.workspace, resume }
    const say = async (line: object) => {
      const answer = await rawLines(world.service.socket, [{ hello }, { id: 1, ...line }], 2)
      return answer[1]
    }
    const call = { id: 'c6', tool: 'look', args: { n: 1 } }
    expect(await say({ do: 'ask', call })).toMatchObject({ permit: { callId: 'c6' } })
    expect(await say({ do: 'ask', again: true, call: { ...call, args: { n: 2 } } })).toMatchObject({
      refusal: { code: 'CS_CALL_DUPLICATE' },
    })
    const again = await say({ do: 'ask', again: true, call })
    expect(again).toMatchObject({ refusal: { outcome: 'unknown', code: 'CS_PERMIT_SPENT' } })
    expect((await kinds(world, 'c6')).filter((kind) => kind === 'started')).toHaveLength(1)
    expect(await say({ do: 'ask', again: true, call: { ...call, id: 'c7' } })).toMatchObject({ permit: {} })
  })

  it('waits on its new connection while the former one still seems to be open', async () => {
    const { world } = await openWorld()
    const hello = { protocol: 1, version: '0.1.0', workspace: world.workspace, resume: 's'.repeat(43) }
    const ask = { id: 1, do: 'ask', call: { id: 'c8', tool: 'jot', args: {} } }
    const former = rawLines(world.service.socket, [{ hello }, ask], 3)
    const [view] = await world.held(1)
    const again = rawLines(world.service.socket, [{ hello }, { ...ask, again: true }], 3)
    expect((await former)[2]).toMatchObject({ refusal: { code: 'CS_CALL_DUPLICATE' } })
    if (view === undefined) throw new Error('nothing is held')
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: true })
    expect((await again)[2]).toMatchObject({ permit: { callId: 'c8' } })
  })

  it.each(['short', 'x'.repeat(129), 'a secret with spaces and more than 32 characters'])(
    'needs a secret that nobody guesses, not `%s`',
    async (resume) => {
      const { world } = await openWorld()
      const hello = { protocol: 1, version: '0.1.0', workspace: world.workspace, resume }
      expect(await rawLines(world.service.socket, [{ hello }], 1)).toMatchObject([{ error: { code: 'CS_PROTOCOL' } }])
    },
  )
})

/** Sends lines on a connection of their own, which breaks after so many answers. */
function rawLines(path: string, lines: readonly object[], answers: number): Promise<readonly unknown[]> {
  return new Promise((resolve, reject) => {
    const socket = dial(path)
    let text = ''
    socket.on('error', reject)
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      const heard = text.split('\n').slice(0, -1)
      if (heard.length < answers) return
      socket.destroy()
      resolve(heard.map((line) => JSON.parse(line) as unknown))
    })
    for (const line of lines) socket.write(`${JSON.stringify(line)}\n`)
  })
}
