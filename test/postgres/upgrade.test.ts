import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { connectGate, openHome } from '@countersign/node'
import { migrateSchema, parseStoreAddress } from '@countersign/postgres'
import { COMMAND_ENV } from '@countersign/testing/command/command'
import { type Ended, endOf, spawnCli } from '@countersign/testing/command/spawn-cli'
import {
  enrolEverywhere,
  type ServiceProcess,
  serviceIn,
  startServiceProcess,
} from '@countersign/testing/gate/service-process'
import { expectVerified, homeOn, openMachine } from '@countersign/testing/postgres/machine'
import { firstMachine, type Machine } from '@countersign/testing/postgres/machines'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { rawClient } from '@countersign/testing/postgres/raw-client'
import { usePostgres } from '@countersign/testing/postgres/server'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const POLICY = `version: 1
rules:
  - { tool: jot, supervision: automatic }
  - { tool: ship, supervision: confirm }
`
/** The command, as the next version of Countersign would be: with one step more in the schema. */
const NEXT = [
  '--conditions=countersign-source',
  '--no-warnings',
  '--import',
  join(ROOT, 'test/support/postgres/next-version.mjs'),
  join(ROOT, 'packages/cli/src/entry.ts'),
]

describe.skipIf(missingPostgres())('an update of the tables on PostgreSQL', () => {
  const server = usePostgres()

  function start({ home, workspace }: Machine, ...words: readonly string[]) {
    const argv = [...NEXT, '--home', home, ...words]
    return spawn(process.execPath, argv, {
      cwd: workspace,
      env: COMMAND_ENV,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  }
  const next = (machine: Machine, ...words: readonly string[]): Promise<Ended> => endOf(start(machine, ...words))

  async function query(address: string, text: string): Promise<readonly unknown[]> {
    const { schema } = parseStoreAddress(address)
    const client = await rawClient(address)
    try {
      await client.query(`SET search_path = "${schema}"`)
      return (await client.query(text)).rows
    } finally {
      await client.end()
    }
  }

  const tablesIn = (address: string) =>
    query(
      address,
      `SELECT table_name, column_name, data_type, is_nullable, column_default IS NULL AS bare FROM information_schema.columns
        WHERE table_schema = current_schema() ORDER BY 1, 2`,
    )

  /** Starts the service of the next version; resolves once it answers. */
  async function serve(machine: Machine): Promise<ServiceProcess> {
    const child = start(machine, 'serve', '--json', '--port', '0')
    return serviceIn(child, openHome(machine.home))
  }

  it('ends a service of the old version in one line; what is held, decided or started goes on at the new one', async () => {
    const { one } = await firstMachine(server.freshAddress(), POLICY)
    const old = await startServiceProcess(openHome(one.home), one.workspace)
    const ana = await enrolEverywhere([old])
    const { socket } = old.status
    const asker = await connectGate({
      address: { socket },
      workspace: one.workspace,
      version: '0.1.0',
      comesBack: true,
    })
    onTestFinished(() => asker.close())
    const ship = (n: number) => ({ tool: 'ship', args: { n } })
    const approve = async (service: ServiceProcess, id: string) => {
      const view = await until(`${id} to be held`, async () => (await service.held()).find((held) => held.id === id))
      expect(await service.decide(view, { kind: 'approve' }, ana)).toMatchObject({ accepted: true })
    }
    const ask = async (n: number) => {
      const held = Promise.withResolvers<string>()
      const answer = asker.ask(ship(n), { onHeld: ({ callId }) => held.resolve(callId) })
      return { answer, id: await held.promise }
    }

    const starting = await ask(1)
    await approve(old, starting.id)
    const started = await starting.answer
    if (started.kind !== 'permit') throw new Error(started.message)
    const decided = await asker.submit(ship(2))
    await approve(old, decided.callId)
    const submitted = await asker.submit(ship(3))
    const waiting = await ask(4)

    expect((await next(one, 'held')).stderr).toMatch(/made by an older Countersign.*run `countersign store migrate`/)
    expect((await next(one, 'store', 'migrate')).stdout).toContain('updated the tables from version 2 (version 3)')
    expect(await old.ended).toMatchObject({
      code: 125,
      stderr: expect.stringMatching(/^countersign: [^\n]*update this program and restart it[^\n]*\n$/),
    })
    for (const words of [['held'], ['store', 'check'], ['exec', '--', 'true'], ['serve', '--port', '0']])
      expect(await spawnCli(['--home', one.home, ...words], one.workspace), words.join(' ')).toMatchObject({
        code: 125,
        stdout: '',
        stderr: expect.stringMatching(
          /^countersign: [^\n]*newer Countersign[^\n]*update this program and restart it[^\n]*\n$/,
        ),
      })

    const newer = await serve(one)
    expect((await newer.held()).map(({ id }) => id).sort()).toEqual([submitted.callId, waiting.id].sort())
    await asker.settle(started, 'completed')
    for (const { callId } of [submitted, { callId: waiting.id }]) await approve(newer, callId)
    const permits = [waiting.answer, asker.wait(decided), asker.wait(submitted)]
    for (const [at, answer] of (await Promise.all(permits)).entries()) {
      expect(answer, `permit ${at}`).toMatchObject({ kind: 'permit' })
      if (answer.kind === 'permit') await asker.settle(answer, 'completed')
    }
    const history: { readonly id: string; readonly outcome: string }[] = JSON.parse(
      (await next(one, 'history', '--json')).stdout,
    )
    const ids = [starting.id, decided.callId, submitted.callId, waiting.id]
    expect(new Map(history.map(({ id, outcome }) => [id, outcome]))).toEqual(
      new Map(ids.map((id) => [id, 'completed'])),
    )
    expect((await next(one, 'journal', 'verify')).code).toBe(0)
  }, 180_000)

  it('brings a store of version 1 forward with its held and decided calls, and its tables are those of a new one', async () => {
    const address = server.freshAddress()
    const home = await homeOn(address)
    const before = await openMachine(home)
    const tickets = [await before.gate.submit({ tool: 'asked_thing', args: { n: 1 } })]
    const [view] = await before.desk.list()
    if (view !== undefined) await before.decide(view, { kind: 'approve' })
    tickets.push(await before.gate.submit({ tool: 'asked_thing', args: { n: 2 } }))
    await before.gate.close()
    const fresh = server.freshAddress()
    await migrateSchema(parseStoreAddress(fresh))
    // Version 2 added this table, and nothing else.
    await query(address, 'DROP TABLE shared; UPDATE head SET version = 1')
    await expect(openMachine(home)).rejects.toMatchObject({
      code: 'CS_STORE_VERSION',
      message: expect.stringContaining('run `countersign store migrate`'),
    })

    expect(await migrateSchema(parseStoreAddress(address))).toEqual({ kind: 'migrated', from: 1, to: 2 })
    expect(await tablesIn(address)).toEqual(await tablesIn(fresh))
    const after = await openMachine(home)
    const [held, ...others] = await after.desk.list()
    expect([held?.id, others]).toEqual([tickets[1]?.callId, []])
    if (held !== undefined) expect(await after.decide(held, { kind: 'approve' })).toMatchObject({ accepted: true })
    for (const ticket of tickets) expect(await after.gate.wait(ticket)).toMatchObject({ kind: 'permit' })
    await expectVerified(after.ports)
  })
})
