import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '@countersign/core'
import { openGate } from '@countersign/node'
import { openServiceWorld, type ServiceWorld } from '@countersign/testing/gate/service'
import { describe, expect, it, onTestFinished } from 'vitest'

const SECRET = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'

interface Said {
  readonly now: { readonly supervision: string; readonly rule: { readonly id: string } } | null
}

/** Makes a call, lets it expire or run, and returns its current verdict. */
async function said(world: ServiceWorld, call: Call, meanwhile: () => void = () => {}): Promise<Said> {
  const gate = await world.connect()
  const answer = await gate.ask({ ...call, id: 'asked', timeoutMs: 1 })
  if (answer.kind === 'permit') await gate.settle(answer, 'completed')
  gate.close()
  meanwhile()
  return world.json<Said>('/history/asked/now')
}

describe('the current verdict on an earlier call', () => {
  it.each<[string, Call, string]>([
    ['asks for confirmation', { tool: 'fetch_weather', args: { city: 'Linz' }, requiresConfirmation: true }, 'confirm'],
    ['asks for nothing', { tool: 'list_directory', args: { path: '.' } }, 'automatic'],
    ['claims to do more', { tool: 'fetch_weather', args: {}, description: { kind: 'delete' } }, 'confirm'],
    ['belongs to a server', { tool: { name: 'list_rows', server: 'db' }, args: { id: 3 }, source: 'mcp' }, 'confirm'],
  ])('matches the original for a tool that %s', async (_, call, supervision) => {
    const world = await openServiceWorld()
    expect(await said(world, call)).toMatchObject({ now: { supervision } })
  })

  it('includes the server’s hints about its tool', async () => {
    const policy =
      'version: 1\nrules:\n  - { id: mild, tool: "db/*", annotations: { destructiveHint: false }, supervision: automatic }\n'
    const of = async (destructiveHint: boolean) =>
      said(await openServiceWorld({ policy }), {
        tool: { name: 'list_rows', server: 'db', annotations: { destructiveHint }, definition: { name: 'list_rows' } },
        args: { id: 3 },
        source: 'mcp',
      })
    expect(await of(false)).toMatchObject({ now: { supervision: 'automatic', rule: { id: 'mild' } } })
    expect(await of(true)).toMatchObject({ now: { supervision: 'confirm' } })
  })

  it('uses the current policy', async () => {
    const world = await openServiceWorld()
    const call = { tool: 'fetch_weather', args: { city: 'Linz' }, requiresConfirmation: true }
    const policy = 'version: 1\ntools: { fetch_weather: manual }\n'
    const { now } = await said(world, call, () => writeFileSync(world.home.policy, policy, { mode: 0o600 }))
    expect(now).toMatchObject({ supervision: 'manual' })
  })

  it('uses the original workspace, whatever folder the call ran in', async () => {
    const world = await openServiceWorld()
    const cwd = join(world.workspace, 'src')
    mkdirSync(cwd)
    const call = { tool: 'write_file', args: { path: '../notes.txt', content: 'x' }, source: 'builtin', cwd } as const
    const { now } = await said(world, call)
    const [judged] = (await world.entries()).filter(({ kind }) => kind === 'judged')
    expect(now?.supervision).toBe(judged?.['supervision'])
    // An asker cannot claim to be a built-in tool.
    expect(judged?.['asked']).toEqual({ source: 'custom', workspace: world.workspace })
  })

  it.each<[string, Call]>([
    ['contained a secret, which the journal does not store', { tool: 'fetch_weather', args: { token: SECRET } }],
    ['came with agent text that contained a secret', { tool: 'fetch_weather', args: {}, said: `with ${SECRET}` }],
    ['was too long to be stored in full', { tool: 'fetch_weather', args: { text: 'word '.repeat(20_000) } }],
  ])('is unknown for a call that %s', async (_, call) => {
    expect(await said(await openServiceWorld(), call)).toEqual({ now: null })
  })

  it('is unknown for a call that a tool described in the asking process', async () => {
    const { home, workspace, json } = await openServiceWorld()
    const { gate } = await openGate({ home, workspace })
    onTestFinished(() => gate.close())
    await gate.ask({ id: 'asked', tool: 'fetch_weather', args: {}, description: { kind: 'delete' }, timeoutMs: 1 })
    expect(await json('/history/asked/now')).toEqual({ now: null })
  })

  it('is unknown rather than looser under the same policy: what held the call is gone', async () => {
    const policy = 'version: 1\nlimits: { calls: 1/session }\n'
    const world = await openServiceWorld({ policy })
    const gate = await world.connect()
    const call = { tool: 'list_directory', args: { path: '.' } }
    const first = await gate.ask({ ...call, id: 'first' })
    if (first.kind === 'permit') await gate.settle(first, 'completed')
    expect(await gate.ask({ ...call, id: 'second', timeoutMs: 1 })).toMatchObject({ outcome: 'expired' })
    gate.close()
    expect(await world.json('/history/second/now')).toEqual({ now: null })
    writeFileSync(world.home.policy, 'version: 1\nlimits: { calls: 2/session }\n', { mode: 0o600 })
    expect(await world.json('/history/second/now')).toEqual({ now: null })
  })

  it('of a held call is its own verdict, secrets included', async () => {
    const world = await openServiceWorld({ policy: 'version: 1\ntools: { deploy: manual }\n' })
    const gate = await world.connect()
    void gate.ask({ id: 'held', tool: 'deploy', args: { token: SECRET } })
    await world.held(1)
    expect(await world.json('/history/held/now')).toMatchObject({ now: { supervision: 'manual' } })
    gate.close()
  })

  it('is null for an unknown call', async () => {
    expect(await (await openServiceWorld()).json('/history/nobody/now')).toEqual({ now: null })
  })
})

describe('the tools seen so far', () => {
  it('show the strictest verdict on their calls, and the strictest one still held', async () => {
    const policy =
      'version: 1\nrules:\n  - { tool: jot, supervision: confirm }\n  - { tool: jot, args: { to: all }, supervision: manual }\n'
    const world = await openServiceWorld({ policy })
    const gate = await world.connect()
    void gate.ask({ id: 'one', tool: 'jot', args: { to: 'all' } })
    await world.held(1)
    void gate.ask({ id: 'two', tool: 'jot', args: { to: 'me' } })
    await world.held(2)
    const { tools } = await world.json<{ tools: object[] }>('/tools')
    expect(tools).toMatchObject([{ tool: 'jot', supervision: 'confirm', strictest: 'manual', heldCall: 'one' }])
    gate.close()
  })
})
