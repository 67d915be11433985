import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openView, signDecision, verifyJournal } from '@countersign/core'
import { openApprover, openGate, openHome, writeStoreSetting } from '@countersign/node'
import { migrateSchema, parseStoreAddress } from '@countersign/postgres'
import { runNode } from '@countersign/testing/command/run-node'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY = `
version: 1
rules:
  - { id: free, tool: free_thing, supervision: automatic }
  - { id: asked, tool: asked_thing, supervision: confirm }
limits: { calls: 5/h }
`

describe.skipIf(missingPostgres())('gates on one PostgreSQL store', () => {
  const server = usePostgres()

  async function place() {
    const folder = temporaryFolder()
    const workspace = join(folder, 'project')
    mkdirSync(workspace)
    const home = openHome(join(folder, 'home'))
    writeFileSync(home.policy, POLICY, { mode: 0o600 })
    const address = server.freshAddress()
    await migrateSchema(parseStoreAddress(address))
    writeStoreSetting(home, address)
    const open = async () => {
      const opened = await openGate({ home, workspace })
      onTestFinished(() => opened.gate.close().catch(() => {}))
      return opened
    }
    return { home, workspace, address, open }
  }

  it('hold a call in one, decide it in another, and run it once', async () => {
    const { home, open } = await place()
    const [asker, other] = [await open(), await open()]
    const approver = openApprover(home, { name: 'ana' })
    let ran = 0
    const running = asker.gate.run({ tool: 'asked_thing', args: { n: 1 } }, () => {
      ran += 1
      return 'done'
    })
    const view = await until('the held call', async () => (await other.desk.list())[0])
    expect(ran).toBe(0)
    const signed = signDecision(openView(view, other.ports.crypto), { kind: 'approve' }, approver.signer, {
      surface: 'test',
      at: Date.now(),
    })
    await other.desk.decide(view.id, signed)
    expect(await running).toMatchObject({ kind: 'completed', value: 'done' })
    expect(ran).toBe(1)
    const { store, crypto, signer } = other.ports
    expect((await store.call(view.id))?.outcome).toBe('completed')
    expect(await verifyJournal(store, { crypto, publicKeys: [signer.publicKey] })).toMatchObject({ kind: 'intact' })
  })

  it('name their machine, and end what a dead process on it left behind', async () => {
    const { home, workspace, open } = await place()
    const source = `
      import { openGate } from '@countersign/node'
      const [home, workspace] = process.argv.slice(1)
      const { gate, ports } = await openGate({ home, workspace })
      gate.run({ tool: 'asked_thing', args: {} }, () => {})
      while ((await ports.store.calls({ state: 'held' })).length === 0) {}
      process.exit(0)
    `
    await runNode(source, [home.dir, workspace])
    const opened = await open()
    await until('the sweep', async () => (await opened.ports.store.calls({ outcome: 'withdrawn' }))[0])
    expect(opened.ports.owners.self).toMatch(/^\d+\..+@[0-9a-f]{16}$/)
  })

  it('leave calls of another machine alone while its lease lives', async () => {
    const { open } = await place()
    const first = await open()
    const { store } = first.ports
    const running = first.gate.run({ tool: 'asked_thing', args: {} }, () => {})
    const row = await until('the held call', async () => (await store.calls({ state: 'held' }))[0])
    const move = { id: row.id, from: 'held', to: 'held', set: { owner: '4194303.1-dead.ab@elsewhere' } } as const
    await store.commit({ entries: [], move, durable: false })
    const second = await open()
    expect(second.ports.owners.isAlive('4194303.1-dead.ab@elsewhere')).toBe(true)
    expect((await second.ports.store.call(row.id))?.state).toBe('held')
    await second.ports.store.commit({
      entries: [],
      move: { ...move, set: { owner: row.owner } },
      durable: false,
    })
    await first.gate.close()
    expect((await running).kind).toBe('refusal')
  })

  it('count limits together', async () => {
    const { open } = await place()
    const gates = [await open(), await open()]
    const counted = { session: 's', name: 'calls', at: 1, amount: 1, bounds: [{ from: 0, most: 5 }] }
    const told = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        gates[at % 2]?.ports.store.commit({ entries: [], count: [counted], durable: false }),
      ),
    )
    expect(told.filter((one) => one?.kind === 'committed').length).toBe(5)
  })

  it('run automatic calls', async () => {
    const { open } = await place()
    const { gate } = await open()
    expect((await gate.run({ tool: 'free_thing', args: {} }, () => 'ran')).kind).toBe('completed')
  })

  it('refuse a database that was restored from before a checkpoint of theirs', async () => {
    const { address, open } = await place()
    const { schema } = parseStoreAddress(address)
    const { gate } = await open()
    expect((await gate.run({ tool: 'free_thing', args: {} }, () => 'ran')).kind).toBe('completed')
    await gate.close() // signs a checkpoint, which the home keeps
    const client = new pg.Client({ host: server.folder, user: 'test', database: 'postgres' })
    await client.connect()
    await client.query(`UPDATE ${schema}.head SET size = 0, frontier = ''`)
    await client.query(`DELETE FROM ${schema}.entry`)
    await client.end()
    await expect(open()).rejects.toMatchObject({
      code: 'CS_STORE_OPEN',
      message: expect.stringMatching(/ends at entry 0, but this gate knows \d+ entries/),
    })
  })

  it('are never opened on two stores of one home', async () => {
    const { home, workspace, address } = await place()
    await expect(openGate({ home, workspace, store: server.freshAddress() })).rejects.toMatchObject({
      code: 'CS_STORE_OPEN',
    })
    const { gate } = await openGate({ home, workspace, store: address })
    await gate.close()
    writeFileSync(home.storeSetting, '{}', { mode: 0o600 })
    await expect(openGate({ home, workspace })).rejects.toThrow('countersign store use')
  })

  it('are closed to the end in a process that does nothing else', async () => {
    const { home, address } = await place()
    const source = `
      import { openCrypto, openHome } from '@countersign/node'
      import { openPostgresStore } from '@countersign/postgres'
      const [home, address] = process.argv.slice(1)
      const store = await openPostgresStore(address, { crypto: openCrypto(openHome(home)) })
      await store.saveCheckpoint(1, 'note')
      await store.close()
      process.stdout.write('closed')
    `
    expect(await runNode(source, [home.dir, address])).toBe('closed')
  })

  it('leave nothing running in a process that forgets to close its store', async () => {
    const { home, address } = await place()
    const source = `
      import { draftEntry } from '@countersign/core'
      import { openCrypto, openHome } from '@countersign/node'
      import { openPostgresStore } from '@countersign/postgres'
      const [home, address] = process.argv.slice(1)
      const store = await openPostgresStore(address, { crypto: openCrypto(openHome(home)) })
      await store.lease({ id: 'here', name: 'here' })
      store.version()
      await store.commit({ entries: [draftEntry({ kind: 'notice', call: null }, 1)], durable: true })
      process.stdout.write(String((await store.head()).size))
    `
    expect(await runNode(source, [home.dir, address])).toBe('1')
  })
})

describe.skipIf(missingPostgres())('a gate whose PostgreSQL server stops', () => {
  const server = usePostgres({ safe: true })

  it('refuses every call, and goes on when it is back', async () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'project'))
    const home = openHome(join(folder, 'home'))
    writeFileSync(home.policy, POLICY, { mode: 0o600 })
    const address = server.freshAddress()
    await migrateSchema(parseStoreAddress(address))
    const { gate, ports } = await openGate({ home, workspace: join(folder, 'project'), store: address })
    onTestFinished(() => gate.close().catch(() => {}))
    let ran = 0
    const run = () =>
      gate.run({ tool: 'free_thing', args: {} }, () => {
        ran += 1
      })
    expect((await run()).kind).toBe('completed')
    await server.kill()
    const ended = await run()
    expect(ended).toMatchObject({ kind: 'refusal', code: expect.stringMatching(/^CS_STORE_/) })
    expect(ran).toBe(1)
    await server.start()
    await until('the server', () => ports.store.head().then(Boolean, () => false))
    expect((await run()).kind).toBe('completed')
    expect(ran).toBe(2)
  })
})
