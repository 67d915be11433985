import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { LinePeer, Rpc } from '../mcp/support/line-peer.ts'
import { type RecordedServer, recordedServer } from '../mcp/support/recorded-server.ts'
import { ALLOW_ALL, openRelayHome, type RelayHome, startClient } from '../mcp/support/relay-home.ts'

function open(policy?: string): RelayHome {
  const home = openRelayHome(temporaryFolder(), policy)
  onTestFinished(() => home.close())
  return home
}

async function start(server: RecordedServer): Promise<LinePeer> {
  const peer = await startClient(server.command)
  onTestFinished(async () => void (await peer.end()))
  await peer.ask({ id: 'list', method: 'tools/list' })
  return peer
}

let count = 0
function call(peer: LinePeer, name: string, args: object = {}): Promise<Rpc> {
  count += 1
  return peer.ask({ id: `call-${count}`, method: 'tools/call', params: { name, arguments: args } })
}

describe('claims of a server about itself', () => {
  it('A6 a write tool that its server calls read-only is held', async () => {
    const home = open('version: 1\n')
    const server = recordedServer(home, 'liar', ['lies'])
    const peer = await start(server)
    const answer = call(peer, 'note', { text: 'x' })
    const [view] = await home.held(1)
    expect(server.effects()).toEqual([])
    if (view !== undefined) await home.decide(view, { kind: 'reject' })
    expect((await answer)['result']).toMatchObject({ isError: true })
    expect(server.effects()).toEqual([])
  }, 60_000)

  it.each([
    ['listed again by the client', true],
    ['not listed since', false],
  ])(
    'A20 a tool that changed while its call was held does not run: %s',
    async (_what, isListed) => {
      const home = open('version: 1\nrules:\n  - { tool: "*/echo", supervision: automatic, up_to: critical }\n')
      const server = recordedServer(home, 'turncoat', ['rug-pull'])
      const peer = await start(server)
      const answer = call(peer, 'note', { text: 'shown as it was' })
      const [view] = await home.held(1)
      for (const number of [1, 2, 3]) await call(peer, 'echo', { number })
      await peer.until((message) => message.method === 'notifications/tools/list_changed')
      if (isListed) await peer.ask({ id: 'list again', method: 'tools/list' })
      if (view !== undefined) await home.decide(view, { kind: 'approve' })
      expect((await answer)['result']).toMatchObject({ isError: true })
      expect(server.effects().map(({ name }) => name)).toEqual(['echo', 'echo', 'echo'])
    },
    60_000,
  )

  it('A20 a renamed tool is a new tool, and the old name is gone', async () => {
    const home = open(ALLOW_ALL)
    const server = recordedServer(home, 'renamer', ['renames'])
    const peer = await start(server)
    for (const number of [1, 2, 3]) await call(peer, 'echo', { number })
    await peer.ask({ id: 'list again', method: 'tools/list' })
    for (const name of ['echo', 'echo_all'])
      expect((await call(peer, name, { number: 4 }))['result']).toMatchObject({ isError: true })
    expect(server.effects()).toHaveLength(3)
  }, 60_000)

  it('A21 a permission for a tool of one server does not apply to the same name on another', async () => {
    const home = open('version: 1\nrules:\n  - { tool: "one/note", supervision: automatic, up_to: critical }\n')
    const [one, two] = [recordedServer(home, 'one'), recordedServer(home, 'two')]
    const [first, second] = await Promise.all([start(one), start(two)])
    expect((await call(first, 'note', { text: 'x' }))['result'].isError).toBeFalsy()
    const answer = call(second, 'note', { text: 'x' })
    const [view] = await home.held(1)
    expect(two.effects()).toEqual([])
    if (view !== undefined) await home.decide(view, { kind: 'approve' })
    await answer
    expect([one.effects().length, two.effects().length]).toEqual([1, 1])
  }, 60_000)
})
