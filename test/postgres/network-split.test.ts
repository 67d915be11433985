import { runInProcess } from '@countersign/testing/command/run-in-process'
import { openServiceWorld } from '@countersign/testing/gate/service'
import {
  asMachine,
  expectVerified,
  homeElsewhere,
  homeOn,
  openMachine,
  POLICY,
  stepsOf,
} from '@countersign/testing/postgres/machine'
import { missingPostgres } from '@countersign/testing/postgres/programs'
import { openProxy } from '@countersign/testing/postgres/proxy'
import { usePostgres } from '@countersign/testing/postgres/server'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

/** One line with the next step after the colon. */
const ADVICE = /^cannot (?:read|write|open) the store `postgres:.+`: .+; .+$/
const ASKED = { id: 'job', tool: 'asked_thing', args: {} }

describe.skipIf(missingPostgres())('a network split between a gate and the database', () => {
  const server = usePostgres()

  /** A person on a sound connection, and the home of an agent's machine behind a network that can break. */
  async function apart(policy = POLICY) {
    const address = server.freshAddress()
    const home = await homeOn(address, policy)
    const person = await openMachine(home)
    const proxy = await openProxy(server.folder)
    const split = () => {
      onTestFinished(() => proxy.release())
      proxy.onSent(() => 'drop')
      proxy.onAnswer(() => 'drop')
    }
    return { home, person, proxy, split, elsewhere: homeElsewhere(home, proxy.through(address)) }
  }

  it('refuses calls in one line that tells what to do, keeps held calls, and heals by itself', async () => {
    const { person, proxy, split, elsewhere } = await apart()
    const agent = await openMachine(elsewhere)
    let ran = 0
    const held = agent.gate.run(ASKED, () => {
      ran += 1
    })
    const view = await until('the held call', async () => (await person.desk.list())[0])
    split()
    const refused = await agent.gate.run({ tool: 'free_thing', args: {} }, () => {
      ran += 1
    })
    expect(refused).toMatchObject({ kind: 'refusal', code: expect.stringMatching(/^CS_STORE_/) })
    expect(refused.kind === 'refusal' && refused.message).toMatch(ADVICE)
    expect(await person.desk.list()).toMatchObject([{ id: 'job' }])
    expect(await person.decide(view, { kind: 'approve' })).toMatchObject({ accepted: true })
    expect(ran).toBe(0)
    proxy.release()
    expect(await held).toMatchObject({ kind: 'completed', recorded: true })
    expect((await agent.gate.run({ tool: 'free_thing', args: {} }, () => 1)).kind).toBe('completed')
    expect(ran).toBe(1)
    await expectVerified(person.ports)
  })

  it('ends the wait at its deadline, and nobody can approve the call after it', async () => {
    const { person, proxy, split, elsewhere } = await apart(POLICY.replace('5m', '3s'))
    const agent = await openMachine(elsewhere)
    let ran = 0
    const held = agent.gate.run(ASKED, () => {
      ran += 1
    })
    const view = await until('the held call', async () => (await person.desk.list())[0])
    split()
    expect(await held).toMatchObject({ kind: 'refusal' })
    expect(await person.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false })
    proxy.release()
    await until('the end of the call', async () => (await person.ports.store.call('job'))?.state === 'closed')
    expect(await person.desk.list()).toEqual([])
    expect(ran).toBe(0)
    expect(await stepsOf(person.ports, 'job')).not.toContain('started')
  })

  it('runs nothing on a stale view: a call that was closed elsewhere meanwhile stays closed', async () => {
    const { person, proxy, split, elsewhere } = await apart()
    const agent = await openMachine(elsewhere)
    let ran = 0
    const ticket = await agent.gate.submit(ASKED)
    const held = agent.gate.wait(ticket)
    const view = await until('the held call', async () => (await person.desk.list())[0])
    split()
    await person.gate.withdraw(ticket)
    expect(await person.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false })
    proxy.release()
    const ended = await held
    if (ended.kind === 'permit') ran += 1
    expect(ended).toMatchObject({ kind: 'refusal', outcome: 'withdrawn' })
    expect(ran).toBe(0)
  })

  it('a machine that was cut off longer than its lease can’t start what another took over', async () => {
    const { person, proxy, split, elsewhere, home: sound } = await apart()
    const agent = await openMachine(elsewhere, (ports) => asMachine('cut-off', 1_000, ports))
    const ran: string[] = []
    const asked = agent.gate.run(ASKED, () => void ran.push('asked'))
    const ticket = await agent.gate.submit({ ...ASKED, id: 'submitted', args: { n: 1 } })
    const waiting = agent.gate.wait(ticket)
    const permit = await agent.gate.ask({ id: 'begun', tool: 'free_thing', args: {} })
    expect(permit.kind).toBe('permit')
    await until('two held calls', async () => (await person.desk.list()).length === 2)
    split()
    const other = await openMachine(sound, (ports) => asMachine('other', 600, ports))
    await until('the end of the lease', async () => {
      await other.desk.sweep()
      return (await other.ports.store.call('begun'))?.state === 'closed'
    })
    expect(await other.ports.store.call('begun')).toMatchObject({ outcome: 'unknown' })
    expect(await other.ports.store.call('job')).toMatchObject({ state: 'closed', outcome: 'withdrawn' })
    const taken = other.gate.wait(ticket)
    // Its policy is in another folder: the call is shown again before anybody decides.
    await until('the call to be held again', async () => {
      const steps = await stepsOf(other.ports, 'submitted')
      return steps.filter((step) => step === 'held').length === 2
    })
    const view = (await other.desk.list()).find(({ id }) => id === 'submitted')
    if (view === undefined) throw new Error('the submitted call should be held')
    expect(await other.decide(view, { kind: 'approve' })).toMatchObject({ accepted: true })
    expect(await taken).toMatchObject({ kind: 'permit' })
    ran.push('submitted')
    proxy.release()
    expect(await asked).toMatchObject({ kind: 'refusal' })
    expect(await waiting).toMatchObject({ kind: 'refusal' })
    if (permit.kind === 'permit') await agent.gate.settle(permit, 'completed').catch(() => {})
    expect(await other.ports.store.call('begun')).toMatchObject({ outcome: 'unknown' })
    expect(ran).toEqual(['submitted'])
    expect((await stepsOf(other.ports, 'submitted')).filter((step) => step === 'started')).toHaveLength(1)
    await expectVerified(other.ports)
  })

  it('shows on a service’s health, in `countersign status` and in `store check`', async () => {
    const { proxy, split, elsewhere } = await apart()
    const world = await openServiceWorld({ home: elsewhere, policy: POLICY })
    const ready = async () => (await fetch(`${world.service.url}/ready`)).text()
    const run = (...words: readonly string[]) => runInProcess(words, { cwd: world.workspace, home: elsewhere.dir })
    expect(await ready()).toBe('ok\n')
    split()
    await until('a service that is not ready', async () => (await ready()) === 'store\n')
    const status = await run('status')
    expect(status).toMatchObject({ code: 1, stderr: expect.stringMatching(/the store .*; .+\n/) })
    expect(status.stdout).toContain('inbox')
    const checked = await run('store', 'check')
    expect(checked.code).not.toBe(0)
    expect(checked.stderr.trim().split('\n')).toHaveLength(1)
    expect(checked.stderr).toMatch(/cannot open the store .+: .+; .+/)
    proxy.release()
    await until('a service that is ready', async () => (await ready()) === 'ok\n')
    expect(await run('status')).toMatchObject({ code: 0 })
    expect(await run('store', 'check')).toMatchObject({ code: 0 })
  })
})
