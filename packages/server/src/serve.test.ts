import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { connectGate, controlService, openGate, openHome, rememberedPort } from '@countersign/node'
import { openServiceWorld } from '@countersign/testing/gate/service'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startService } from './serve.ts'

describe('a service whose store a newer Countersign updates', () => {
  it('refuses every call, and stops in one line that says what to do', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const stopped = world.service.stopped.then(
      () => undefined,
      (error: unknown) => error,
    )
    const newer = new DatabaseSync(world.home.store)
    newer.exec('PRAGMA user_version = 99')
    newer.close()
    expect(await gate.ask({ tool: 'look', args: {} })).toMatchObject({ kind: 'refusal', code: 'CS_STORE_VERSION' })
    expect(await stopped).toMatchObject({
      code: 'CS_STORE_VERSION',
      message: expect.stringMatching(/^[^\n]+update this program and restart it$/),
    })
    gate.close()
  })
})

describe('the service', () => {
  it('lets an asker call, a person decide, and reports the outcome', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect('coder')
    const held: unknown[] = []
    const asked = gate.ask({ tool: 'deploy', args: { to: 'prod' } }, { onHeld: (one) => held.push(one) })
    const [view] = await world.held(1)
    expect(view && (await world.decide(view, { kind: 'approve' }))).toMatchObject({ accepted: true, by: 'ana' })
    const permit = await asked
    expect(permit).toMatchObject({ kind: 'permit', args: { to: 'prod' }, approvedBy: 'ana' })
    expect(held).toMatchObject([{ callId: view?.id }])
    if (permit.kind === 'permit') await gate.settle(permit, 'completed')
    gate.close()
    expect((await world.json<{ calls: unknown[] }>('/history')).calls).toMatchObject([
      { outcome: 'completed', agent: 'coder' },
    ])
  })

  it('runs once per home, whatever a dead one left behind', async () => {
    const world = await openServiceWorld()
    await expect(startService({ home: world.home, version: '0.1.0', port: 0 })).rejects.toMatchObject({
      code: 'CS_SERVICE',
      message: expect.stringContaining('already runs'),
    })
    await world.service.stop()
    // A socket file without a process, as after a kill.
    const left = createServer().listen(join(world.home.run, 'left.sock'))
    await new Promise((resolve) => left.once('listening', resolve))
    const again = await startService({ home: world.home, version: '0.1.0' })
    onTestFinished(() => again.stop())
    onTestFinished(() => void left.close())
    expect(again.url).toBe(world.service.url)
  })

  it('keeps its sockets private, or shares the askers’ socket with one group', async () => {
    const world = await openServiceWorld()
    expect(statSync(world.service.socket).mode & 0o777).toBe(0o600)
    expect(statSync(join(world.home.run, 'control.sock')).mode & 0o777).toBe(0o600)
    const path = join(temporaryFolder(), 'asking.sock')
    const group = process.getgid?.() ?? 0
    await openServiceWorld({ socket: { path, group } })
    expect(statSync(path)).toMatchObject({ gid: group })
    expect(statSync(path).mode & 0o777).toBe(0o660)
  })

  it('does not replace a file, or another user’s socket', async () => {
    const folder = temporaryFolder()
    const file = join(folder, 'file')
    writeFileSync(file, 'mine')
    const home = openHome(join(folder, 'home'))
    await expect(startService({ home, version: '0.1.0', port: 0, socket: { path: file } })).rejects.toMatchObject({
      message: expect.stringContaining('is not a socket'),
    })
    const { service } = await openServiceWorld()
    await expect(
      startService({ home, version: '0.1.0', port: 0, socket: { path: service.socket } }),
    ).rejects.toMatchObject({ message: expect.stringContaining('another service answers') })
  })

  it('remembers its port, and reports if another program has taken it', async () => {
    const world = await openServiceWorld()
    expect(rememberedPort(world.home)).toBe(world.port)
    await world.service.stop()
    const squatter = createServer().listen(world.port, '127.0.0.1')
    // An error means that the port is already in use: it is taken either way.
    await new Promise((resolve) => squatter.once('listening', resolve).once('error', resolve))
    onTestFinished(() => void squatter.close())
    await expect(startService({ home: world.home, version: '0.1.0' })).rejects.toMatchObject({
      message: expect.stringContaining(`port ${world.port} is taken`),
    })
  })

  it('stops on its owner’s request, and refuses waiting calls', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect()
    const asked = gate.ask({ id: 'waiting', tool: 'deploy', args: {} })
    await gate.submit({ id: 'submitted', tool: 'deploy', args: {} })
    await world.held(2)
    expect(await controlService(world.home, { do: 'status' })).toMatchObject({ status: { held: 2, askers: 1 } })
    expect(await controlService(world.home, { do: 'stop' })).toEqual({ stopping: true })
    await world.service.stopped
    expect(await asked).toMatchObject({ kind: 'refusal' })
    expect(await controlService(world.home, { do: 'status' })).toBeUndefined()
    const { desk, gate: own } = await openGate({ home: world.home, workspace: world.workspace, observer: true })
    onTestFinished(() => own.close())
    expect((await desk.list()).map(({ id }) => id)).toEqual(['submitted'])
    await expect(world.connect()).rejects.toMatchObject({ code: 'CS_SERVICE' })
  })

  it('judges each workspace by its own project’s policy, on one store', async () => {
    const world = await openServiceWorld()
    const strict = join(temporaryFolder(), 'strict')
    mkdirSync(join(strict, '.countersign'), { recursive: true })
    writeFileSync(
      join(strict, '.countersign', 'policy.yaml'),
      'version: 1\nrules:\n  - { tool: look, supervision: deny, reason: not here }\n',
    )
    const plain = await world.connect()
    const other = await connectGate({
      address: { socket: world.service.socket },
      workspace: strict,
      version: '0.1.0',
    })
    expect(await plain.ask({ tool: 'look', args: {} })).toMatchObject({ kind: 'permit' })
    expect(await other.ask({ tool: 'look', args: {} })).toMatchObject({ kind: 'refusal', outcome: 'denied' })
    expect(await world.service.status()).toMatchObject({ workspaces: 2, askers: 2 })
    const explained = await world.json('/explain', { json: { call: { tool: 'look', args: {} }, workspace: strict } })
    expect(explained).toMatchObject({ explanation: { verdict: { supervision: 'deny' } } })
    plain.close()
    other.close()
  })

  it('limits a session’s grants to that session, and ends them with it (A10)', async () => {
    const world = await openServiceWorld()
    const [one, other] = [await world.connect('coder'), await world.connect('coder')]
    const first = one.ask({ tool: 'jot', args: { n: 'a' } })
    const [view] = await world.held(1)
    const offer = view?.offers.find(({ scope }) => scope.kind === 'tool')
    if (view === undefined || offer === undefined) throw new Error('no grant is offered')
    await world.decide(view, { kind: 'approve', grant: { scope: offer.scope, lifetime: { kind: 'session' } } })
    expect(await first).toMatchObject({ kind: 'permit' })
    expect(await one.ask({ tool: 'jot', args: { n: 'b' } })).toMatchObject({ kind: 'permit', approvedBy: null })
    void other.ask({ id: 'asked', tool: 'jot', args: { n: 'b' } })
    expect((await world.held(1)).map(({ id }) => id)).toEqual(['asked'])
    const { grants } = await world.json<{ grants: { id: string; uses: number }[] }>('/grants')
    expect(grants).toMatchObject([{ uses: 1, givenBy: 'ana' }])
    expect((await world.fetch(`/grants/${grants[0]?.id}`, { method: 'DELETE' })).status).toBe(200)
    void one.ask({ id: 'asked-again', tool: 'jot', args: { n: 'c' } })
    expect((await world.held(2)).map(({ id }) => id)).toContain('asked-again')
    expect((await world.fetch('/grants/nothing', { method: 'DELETE' })).status).toBe(404)
    one.close()
    other.close()
  })
})

describe('the inbox', () => {
  it('gets its data from history and journal', async () => {
    const world = await openServiceWorld()
    const gate = await world.connect('coder')
    for (const name of ['a', 'b']) {
      const permit = await gate.ask({ tool: 'look', args: { name } })
      if (permit.kind === 'permit') await gate.settle(permit, 'completed')
    }
    const asked = gate.ask({ id: 'no', tool: { name: 'send', server: 'mail' }, args: {}, source: 'mcp' })
    const [view] = await world.held(1)
    if (view !== undefined) await world.decide(view, { kind: 'reject', reason: 'not now' })
    await asked
    expect(await world.json('/tools')).toMatchObject({
      tools: [
        {
          tool: 'mail/send',
          server: 'mail',
          calls: 1,
          rejected: 1,
          command: 'countersign policy explain send --server mail',
        },
        { tool: 'look', server: null, calls: 2, supervision: 'automatic', change: 'tools: { "look": confirm }' },
      ],
    })
    const { hours, tools } = await world.json<{ hours: Record<string, number>[]; tools: unknown }>('/stats')
    const sums = ['rejected', 'automatic', 'approved', 'expired'].map((kind) =>
      hours.reduce((sum, hour) => sum + (hour[kind] ?? Number.NaN), 0),
    )
    expect(sums).toEqual([1, 2, 0, 0]) // the hour may change in between
    expect(tools).toMatchObject([
      { tool: 'mail/send', held: 1, rejected: 1 },
      { tool: 'look', held: 0 },
    ])
    expect(await world.json('/journal?from=1&to=3')).toMatchObject({
      entries: [{ seq: 1 }, { seq: 2 }, { seq: 3 }],
      verified: null,
    })
    expect(await world.json('/journal/verified')).toMatchObject({ damage: [] })
    expect(await world.json('/journal?from=1&to=3')).toMatchObject({ verified: { damage: [] } })
    const exported = await (await world.fetch('/history.jsonl?tool=look')).text()
    expect(exported.trim().split('\n')).toHaveLength(2)
    expect(await world.json('/history?call=no')).toMatchObject({ calls: [{ id: 'no', outcome: 'rejected' }] })
    expect(await world.json('/history?call=unknown')).toEqual({ calls: [] })
    expect(await world.json('/held/no/similar')).toEqual({ calls: [] })
    const again = gate.ask({ id: 'again', tool: { name: 'send', server: 'mail' }, args: {}, source: 'mcp' })
    const [next] = await world.held(1)
    expect(await world.json('/held/again/similar')).toMatchObject({
      calls: [{ id: 'no', decision: { kind: 'reject' } }],
    })
    if (next !== undefined) await world.decide(next, { kind: 'reject', reason: 'not now' })
    await again
    const wouldMatch = (scope: object) => world.json('/grants/would-match', { json: { scope } })
    expect(await wouldMatch({ kind: 'tool', server: null, tool: 'look', definition: 'unbound' })).toMatchObject({
      matched: 2,
      of: 4,
      high: 0,
    })
    expect(await wouldMatch({ kind: 'pattern', when: { tool: ['look'] } })).toMatchObject({ matched: 2 })
    expect(await wouldMatch({ kind: 'server', server: 'mail' })).toMatchObject({ matched: 2 })
    gate.close()
  })

  it('is plain text if it is not built, and its files otherwise', async () => {
    const plain = await openServiceWorld()
    expect(await (await fetch(plain.service.url)).text()).toContain('not built')
    const inbox = temporaryFolder()
    writeFileSync(join(inbox, 'index.html'), '<!doctype html>')
    writeFileSync(join(inbox, 'app.js'), 'let x')
    const { service } = await openServiceWorld({ inbox })
    for (const path of ['/', '/history', '/grants'])
      expect(await (await fetch(`${service.url}${path}`)).text()).toBe('<!doctype html>')
    expect((await fetch(`${service.url}/app.js`)).headers.get('content-type')).toContain('text/javascript')
    for (const path of ['/missing.js', '/..%2f..%2fetc%2fpasswd.txt', '/%2e%2e/secret.txt'])
      expect((await fetch(`${service.url}${path}`)).status).toBe(404)
  })
})
