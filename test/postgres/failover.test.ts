import { journalKeys, verifyJournal } from '@countersign/core'
import {
  connectGate,
  type LocalApprover,
  openAskingToken,
  openCrypto,
  openGateKey,
  openHeads,
  openHomeStore,
  type RemoteGate,
} from '@countersign/node'
import { enrolEverywhere, type ServiceProcess, startServiceProcess } from '@countersign/testing/gate/service-process'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { openProxy, type PostgresProxy } from '@countersign/testing/postgres/proxy'
import { usePostgres } from '@countersign/testing/postgres/server'
import { type SharedHomes, shareStore } from '@countersign/testing/postgres/shared-homes'
import { openBalancer } from '@countersign/testing/tcp-balancer'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY = `version: 1
rules:
  - { tool: ship, supervision: confirm }
  - { tool: look, supervision: automatic }
`
/** A step of a call is a commit; the full run kills at each of them. */
const STEP = process.env['COUNTERSIGN_FULL'] === undefined ? 2 : 1
const ASKERS = process.env['COUNTERSIGN_FULL'] === undefined ? 24 : 200
/** Each has several calls held, fewer than a session may. */
const CONNECTIONS = 8

describe.skipIf(missingPostgres())('services that stand in for each other', () => {
  const server = usePostgres()

  /** Three homes on one store; only the first reaches it through a network that a test can break. */
  async function place() {
    const address = server.freshAddress()
    const proxy = await openProxy(server.folder)
    const shared = await shareStore([address, address, proxy.through(address)], POLICY)
    return { shared, proxy }
  }

  async function askerOf({ workspace }: SharedHomes, services: readonly ServiceProcess[]): Promise<RemoteGate> {
    const gate = await connectGate({
      address: services.map(({ status }) => ({ socket: status.socket })),
      workspace,
      version: '0.1.0',
    })
    onTestFinished(() => gate.close())
    return gate
  }

  /** A person who approves at the first service that answers. */
  async function approve(id: string, services: readonly ServiceProcess[], approver: LocalApprover): Promise<void> {
    await until(`the decision on ${id}`, async () => {
      for (const service of services) {
        try {
          const view = (await service.held()).find((held) => held.id === id)
          if (view !== undefined) return (await service.decide(view, { kind: 'approve' }, approver)).accepted
        } catch {
          // This service is gone: the next one.
        }
      }
      return undefined
    })
  }

  async function verify({ homes }: SharedHomes) {
    for (const home of homes) {
      const crypto = openCrypto(home)
      const { store, gates } = await openHomeStore(home, { crypto })
      try {
        if (gates === undefined) throw new Error('the home shares no store')
        const kept = await openHeads(home).kept()
        const keys = journalKeys({ signer: openGateKey(home), gates: gates.keys })
        expect(await verifyJournal(store, { crypto, kept, ...keys })).toMatchObject({ kind: 'intact' })
      } finally {
        await store.close()
      }
    }
  }

  /** Kills the service at one of its commits: before the server hears of it, or after it happened. */
  function killAt(n: number, when: 'before' | 'after', proxy: PostgresProxy, service: ServiceProcess) {
    let commits = 0
    let killed = false
    const die = () => {
      killed = true
      void service.kill()
      return 'cut' as const
    }
    proxy.onSent((content) => {
      if (killed) return 'cut'
      if (when === 'after' || !content.includes('COMMIT')) return 'pass'
      commits += 1
      return commits === n ? die() : 'pass'
    })
    proxy.onAnswer((type, content) => {
      if (killed) return 'cut'
      if (when === 'before' || type !== 'C' || !content.startsWith('COMMIT')) return 'pass'
      commits += 1
      return commits === n ? die() : 'pass'
    })
    return () => killed
  }

  it.each(['before', 'after'] as const)(
    'go on with a call when one is killed %s any commit: it runs once, or nobody knows and it is not run again',
    async (when) => {
      const { shared, proxy } = await place()
      const { homes, workspace } = shared
      const others = await Promise.all(homes.slice(0, 2).map((home) => startServiceProcess(home, workspace)))
      const approver = await enrolEverywhere(others)
      const dying = homes[2]
      if (dying === undefined) throw new Error('three homes were made')
      const ran = new Map<string, number>()
      const outcomes: string[] = []
      for (let n = 1, isKilled = true; isKilled; n += STEP) {
        proxy.release()
        const service = await startServiceProcess(dying, workspace)
        await service.fetch('/held')
        const gate = await askerOf(shared, [service, ...others])
        const wasKilled = killAt(n, when, proxy, service)
        const id = `${when}-${n}`
        const asked = gate.ask({ id, tool: 'ship', args: { n } })
        await approve(id, n % 2 === 0 ? [service, ...others] : others, approver)
        const answer = await asked
        if (answer.kind === 'permit') {
          ran.set(id, (ran.get(id) ?? 0) + 1)
          await gate.settle(answer, 'completed')
        }
        const at = `killed ${when} commit ${n}`
        const { store } = await openHomeStore(homes[0] ?? dying, { crypto: openCrypto(homes[0] ?? dying) })
        const row = await store.call(id)
        const kinds = (await store.entriesOf(id)).map(({ line }) => JSON.parse(line).kind as string)
        await store.close()
        outcomes.push(row?.outcome ?? 'none')
        expect(
          kinds.filter((kind) => kind === 'decided'),
          `${at}: ${kinds}`,
        ).toHaveLength(1)
        expect(
          kinds.filter((kind) => kind === 'started'),
          `${at}: ${kinds}`,
        ).toHaveLength(1)
        if (answer.kind === 'permit') expect(row?.outcome, at).toBe('completed')
        else expect(answer, at).toMatchObject({ outcome: 'unknown' })
        gate.close()
        isKilled = wasKilled()
        await service.kill()
        expect(n).toBeLessThan(40)
      }
      expect(outcomes).toContain('completed')
      expect(Math.max(...ran.values())).toBe(1)
      proxy.release()
      await verify(shared)
    },
  )

  it('keep many askers behind a balancer going while one after the other is killed', async () => {
    const { shared } = await place()
    const { homes, workspace } = shared
    const words = ['--asking-port', '0']
    const services = await Promise.all(homes.map((home) => startServiceProcess(home, workspace, words)))
    const approver = await enrolEverywhere(services)
    const balancer = await openBalancer()
    const portOf = ({ status }: ServiceProcess) => status.askingPort ?? 0
    balancer.lead(...services.map(portOf))
    const { token } = openAskingToken(services[0]?.home ?? fail())
    const address = { host: '127.0.0.1', port: balancer.port, token }
    const gates = await Promise.all(
      Array.from({ length: CONNECTIONS }, () =>
        connectGate({ address, comesBack: true, workspace, version: '0.1.0', timeoutMs: 30_000 }),
      ),
    )
    onTestFinished(() => {
      for (const gate of gates) gate.close()
    })
    const ran = new Map<string, number>()
    const answers = Array.from({ length: ASKERS }, async (_, n) => {
      const id = `asker-${n}`
      const gate = gates[n % gates.length] ?? fail()
      const answer = await gate.ask({ id, tool: 'ship', args: { n } })
      if (answer.kind !== 'permit') return `${answer.outcome} ${answer.code} ${answer.message}`
      ran.set(id, (ran.get(id) ?? 0) + 1)
      await gate.settle(answer, 'completed')
      return 'completed'
    })
    const [first, second, third] = services
    if (first === undefined || second === undefined || third === undefined) throw new Error('three were started')
    const decided = async (from: number, to: number, by: readonly ServiceProcess[]) => {
      for (let n = from; n < to; n += 1) await approve(`asker-${n}`, by, approver)
    }
    const part = Math.floor(ASKERS / 3)
    await decided(0, part, services)
    await first.kill()
    await decided(part, 2 * part, [second, third])
    await second.kill()
    await decided(2 * part, ASKERS, [third])
    const told = await Promise.all(answers)
    expect(told.filter((one) => one !== 'completed' && !one.startsWith('unknown CS_PERMIT_SPENT'))).toEqual([])
    expect(told.filter((one) => one === 'completed').length).toBeGreaterThan(ASKERS / 2)
    expect(Math.max(...ran.values())).toBe(1)
    await verify(shared)
  })
})

function fail(): never {
  throw new Error('it was made above')
}
