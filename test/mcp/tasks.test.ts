/** Calls that become tasks, in both protocol versions: the call is gated, the task methods pass. */

import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type LinePeer, type Rpc, startPeer } from './support/line-peer.ts'
import { openRelayHome, type RelayHome, STDIO_FIXTURE } from './support/relay-home.ts'
import { type Talker, talkTo, WAYS } from './support/ways.ts'

const POLICY = `version: 1
rules:
  - { tool: "*/stall", supervision: automatic, up_to: critical }
  - { tool: "*/slow_compute", supervision: automatic, up_to: critical }
`

function open(): RelayHome {
  const home = openRelayHome(temporaryFolder(), POLICY)
  onTestFinished(() => home.close())
  return home
}

async function decideNext(home: RelayHome, kind: 'approve' | 'reject', shown: string): Promise<void> {
  const [view] = await home.held(1)
  expect(JSON.stringify(view)).toContain(shown)
  if (view !== undefined) await home.decide(view, { kind })
}

/** The number of calls with this outcome in the journal. */
async function ended(home: RelayHome, outcome: string): Promise<number> {
  return (await home.entries()).filter(({ kind }) => kind === outcome).length
}

describe('a task requested by the client (2025-11-25)', () => {
  let count = 0
  const ask = (client: Talker, method: string, params: object = {}): Promise<Rpc> => {
    count += 1
    return client.ask({ id: count, method, params })
  }
  const call = (client: Talker, name: string, text: string) =>
    ask(client, 'tools/call', { name, arguments: { text }, task: { ttl: 61_234 } })

  it.each(WAYS)(
    'is created after approval and can be managed (%s)',
    async (way) => {
      const home = open()
      const { server, client } = await talkTo(home, 'recording', way)
      const rejected = call(client, 'note', 'no')
      await decideNext(home, 'reject', '61234')
      expect((await rejected)['result']).toMatchObject({ isError: true })
      expect((await ask(client, 'tasks/list'))['result']).toEqual({ tasks: [] })

      const approved = call(client, 'note', 'yes')
      await decideNext(home, 'approve', '61234')
      const { task } = (await approved)['result']
      expect(task).toMatchObject({ status: 'working', ttl: 61_234 })
      const { taskId } = task
      expect((await ask(client, 'tasks/get', { taskId }))['result']).toMatchObject({ taskId, status: 'completed' })
      const { result } = await ask(client, 'tasks/result', { taskId })
      expect(result).toMatchObject({ content: [{ text: 'done: {"text":"yes"}' }] })
      expect((await ask(client, 'tasks/cancel', { taskId }))['error']).toMatchObject({ code: -32602 })

      const stalled = (await call(client, 'stall', 'long'))['result'].task.taskId
      const cancelled = await ask(client, 'tasks/cancel', { taskId: stalled })
      expect(cancelled['result']).toMatchObject({ taskId: stalled, status: 'cancelled' })
      expect((await ask(client, 'tasks/list'))['result'].tasks).toHaveLength(2)
      expect((await ask(client, 'tasks/get', { taskId: 'of nobody' }))['error']).toMatchObject({ code: -32602 })
      expect(server.effects().map(({ name }) => name)).toEqual(['note', 'stall'])
      await expect.poll(() => ended(home, 'released')).toBe(2)
    },
    60_000,
  )
})

describe('a task created by the server (since 2026-07-28)', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test-client', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {
      elicitation: {},
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    },
  }
  let count = 0
  const ask = (peer: LinePeer, method: string, params: object = {}): Promise<Rpc> => {
    count += 1
    return peer.ask({ id: count, method, params: { ...params, _meta: META } })
  }

  function untilStatus(peer: LinePeer, taskId: string, status: string): Promise<Rpc> {
    return until(`task ${taskId} to be ${status}`, async () => {
      const { result } = await ask(peer, 'tasks/get', { taskId })
      return result.status === status ? result : undefined
    })
  }

  it('is created after approval, asks for input, and is cancelled; listing and tasks/result do not exist', async () => {
    const home = open()
    const peer = startPeer(home.relay('fixture', STDIO_FIXTURE))
    onTestFinished(async () => void (await peer.end()))
    const deleting = ask(peer, 'tools/call', { name: 'confirm_delete', arguments: { filename: 'old.txt' } })
    await decideNext(home, 'approve', 'old.txt')
    const made = (await deleting)['result']
    expect(made).toMatchObject({ resultType: 'task', status: 'working' })
    const { taskId } = made
    const waiting = await untilStatus(peer, taskId, 'input_required')
    expect(Object.keys(waiting['inputRequests'])).toEqual(['confirm'])
    const inputResponses = { confirm: { action: 'accept', content: { confirm: true } } }
    expect((await ask(peer, 'tasks/update', { taskId, inputResponses }))['result']).toMatchObject({
      resultType: 'complete',
    })
    expect((await untilStatus(peer, taskId, 'completed'))['result']).toMatchObject({
      content: [{ text: 'old.txt would be gone' }],
    })

    const slow = await ask(peer, 'tools/call', { name: 'slow_compute', arguments: { seconds: 60 } })
    await ask(peer, 'tasks/cancel', { taskId: slow['result'].taskId })
    await untilStatus(peer, slow['result'].taskId, 'cancelled')
    for (const method of ['tasks/result', 'tasks/list'])
      expect((await ask(peer, method, { taskId }))['error']).toMatchObject({ code: -32601 })
    await expect.poll(() => ended(home, 'released')).toBe(2)
  }, 60_000)
})
