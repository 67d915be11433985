import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { GateEvent } from '@countersign/core'
import { openGate, openHome, systemClock, writeStoreSetting } from '@countersign/node'
import { migrateSchema, parseStoreAddress } from '@countersign/postgres'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { usePostgres } from '@countersign/testing/postgres/server'
import { temporaryFolder } from '@countersign/testing/temporary-folder'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY = `
version: 1
defaults: { timeout: 10m }
rules:
  - { id: asked, tool: asked_thing, supervision: confirm }
`
const TEN_MINUTES = 600_000

describe.skipIf(missingPostgres())('gates whose clocks differ', () => {
  const server = usePostgres()

  /** Opens gates on one store, each with a wall clock that is off by so much. */
  async function place() {
    const folder = temporaryFolder()
    const workspace = join(folder, 'project')
    mkdirSync(workspace)
    const home = openHome(join(folder, 'home'))
    writeFileSync(home.policy, POLICY, { mode: 0o600 })
    const address = server.freshAddress()
    await migrateSchema(parseStoreAddress(address))
    writeStoreSetting(home, address)
    return async (offset: number) => {
      let wall = offset
      const clock = { ...systemClock, now: () => Date.now() + wall }
      const opened = await openGate({ home, workspace, clock })
      onTestFinished(() => opened.gate.close().catch(() => {}))
      const events: GateEvent[] = []
      opened.gate.subscribe((event) => void events.push(event))
      return {
        ...opened,
        events,
        set(ms: number) {
          wall += ms
        },
      }
    }
  }

  it('have the same deadlines: those of the database’s clock', async () => {
    const open = await place()
    const [behind, right] = [await open(-40_000), await open(0)]
    const asked = new AbortController()
    onTestFinished(() => asked.abort())
    void behind.gate.ask({ tool: 'asked_thing', args: {} }, asked.signal).catch(() => {})
    const view = await until('the held call', async () => (await right.desk.list())[0])
    const { expiresAt } = (await right.ports.store.call(view.id)) ?? {}
    expect(Math.abs((expiresAt ?? 0) - Date.now() - TEN_MINUTES)).toBeLessThan(20_000)
  })

  it('refuse to hold once a clock is off by more than a minute, record it, and go on when it is right', async () => {
    const open = await place()
    const one = await open(0)
    one.set(TEN_MINUTES)
    const call = { tool: 'asked_thing', args: {} }
    expect(await one.gate.run(call, () => 'ran')).toMatchObject({ kind: 'refusal', code: 'CS_CLOCK' })
    const entries = async () => {
      const { store } = one.ports
      return (await store.entries(1, (await store.head()).size)).map(({ line }) => JSON.parse(line))
    }
    await until('the entry', async () => (await entries()).some(({ kind }) => kind === 'clock-changed'))
    expect((await entries()).find(({ kind }) => kind === 'clock-changed')).toMatchObject({
      difference: 'too-far',
      offset: expect.any(Number),
    })
    expect(one.events).toContainEqual(expect.objectContaining({ kind: 'problem', code: 'CS_CLOCK' }))
    one.set(-TEN_MINUTES)
    expect((await one.gate.submit(call)).callId).toMatch(/./)
  })
})
