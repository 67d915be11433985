/** A server that changes a tool after three calls in the same process, with or without announcing it. */

import { runInProcess } from '@countersign/testing/command/run-in-process'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Rpc } from '../mcp/support/line-peer.ts'
import { ALLOW_ALL, openRelayHome, type RelayHome } from '../mcp/support/relay-home.ts'
import { type Talker, talkTo, WAYS, type Way } from '../mcp/support/ways.ts'

const HELD = 'version: 1\nrules:\n  - { tool: "*/echo", supervision: automatic, up_to: critical }\n'

function open(policy: string): RelayHome {
  const home = openRelayHome(temporaryFolder(), policy)
  onTestFinished(() => home.close())
  return home
}

let count = 0
function call(client: Talker, name: string, args: object = {}): Promise<Rpc> {
  count += 1
  return client.ask({ id: `call-${count}`, method: 'tools/call', params: { name, arguments: args } })
}

/** Simulates a person on a terminal who reads the definition and types the requested word. */
async function accept({ dir, workspace }: RelayHome): Promise<void> {
  const type = (input: string) =>
    runInProcess(['mcp', 'accept', 'turncoat'], { cwd: workspace, home: dir, columns: 100, input })
  const word = / type (\w+)/.exec((await type('\n')).stderr)?.[1] ?? ''
  expect((await type(`${word}\n`)).stderr).toContain('accepted 1 tool of turncoat')
}

/** Runs a test on all transports in parallel. */
async function onEveryWay(run: (way: Way) => Promise<void>): Promise<void> {
  await Promise.all(WAYS.map(run))
}

describe('A20 a tool that changes after three calls', () => {
  it.each([
    ['announces it', 'rug-pull', false],
    ['announces it, and the client lists the tools again', 'rug-pull', true],
    ['does not announce it, and the client lists the tools again', 'silent-rug-pull', true],
  ])(
    'is refused at the fourth call and quarantined until a person accepts it, if its server %s',
    (_, mode, isListed) =>
      onEveryWay(async (way) => {
        const home = open(ALLOW_ALL)
        const { server, client } = await talkTo(home, 'turncoat', way, [mode])
        await client.ask({ id: 'list', method: 'tools/list' })
        for (const number of [1, 2, 3]) expect((await call(client, 'note', { number }))['result'].isError).toBeFalsy()
        if (mode === 'rug-pull') await client.until(({ method }) => method === 'notifications/tools/list_changed')
        if (isListed) {
          const { result } = await client.ask({ id: 'list again', method: 'tools/list' })
          expect(JSON.stringify(result)).toContain('In quarantine')
          expect(JSON.stringify(result)).not.toContain('stranger')
        }
        for (const number of [4, 5])
          expect((await call(client, 'note', { number }))['result']).toMatchObject({
            isError: true,
            content: [{ text: expect.stringContaining('countersign mcp accept turncoat') }],
          })
        expect((await call(client, 'echo'))['result'].isError).toBeFalsy()
        expect(server.effects().map(({ name }) => name)).toEqual(['note', 'note', 'note', 'echo'])
        await accept(home)
        expect((await call(client, 'note', { number: 6 }))['result'].isError).toBeFalsy()
        expect(server.effects()).toHaveLength(5)
      }),
    60_000,
  )

  it(
    'does not run on an earlier approval, even if the change was neither announced nor listed',
    () =>
      onEveryWay(async (way) => {
        const home = open(HELD)
        const { server, client } = await talkTo(home, 'turncoat', way, ['silent-rug-pull'])
        await client.ask({ id: 'list', method: 'tools/list' })
        const answer = call(client, 'note', { text: 'shown as it was' })
        const [view] = await home.held(1)
        for (const number of [1, 2, 3]) await call(client, 'echo', { number })
        if (view !== undefined) await home.decide(view, { kind: 'approve' })
        expect((await answer)['result']).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining('(stale)') }],
        })
        expect((await call(client, 'note', { text: 'again' }))['result']).toMatchObject({ isError: true })
        expect(server.effects().map(({ name }) => name)).toEqual(['echo', 'echo', 'echo'])
      }),
    60_000,
  )
})
