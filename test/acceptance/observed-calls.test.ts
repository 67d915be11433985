import { type Call, type CallTrace, CountersignError, type Ports, type Telemetry } from '@countersign/core'
import { recordingTelemetry } from '@countersign/testing/gate/recording-telemetry'
import { goneOwner, onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { overlay } from '@countersign/testing/intercept'
import { until } from '@countersign/testing/until'
import { describe, expect, it, onTestFinished } from 'vitest'

const POLICY = `version: 1
rules:
  - { tool: look, supervision: automatic }
  - { tool: jot, supervision: confirm }
  - { tool: wipe, supervision: deny }
  - { tool: scan, supervision: automatic, checks: [size] }
`
/** A process that is certainly gone. */
const PARENT = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
const LOOK: Call = { id: 'look-1', tool: 'look', args: { at: 1 } }
const JOT: Call = { id: 'jot-1', tool: 'jot', args: { text: 'hello' } }

async function observed(wrap: (ports: Ports) => Ports = (ports) => ports) {
  const telemetry = recordingTelemetry()
  const world = await openWorld({ policy: POLICY, wrapPorts: (ports) => ({ ...wrap(ports), telemetry }) })
  onTestFinished(() => world.close())
  return { ...world, telemetry }
}

describe('an observed call', () => {
  it('passes its steps in order', async () => {
    const { gate, telemetry } = await observed()
    await gate.run(LOOK, () => 'done')
    const { steps, judged, ends } = telemetry.only('run')
    expect(steps).toEqual(['rate', 'judge', 'consume', 'run', 'settle'])
    expect(judged).toEqual([
      {
        callId: 'look-1',
        tool: 'look',
        server: null,
        kind: 'other',
        risk: 'medium',
        supervision: 'automatic',
        rule: 'policy.yaml#1',
      },
    ])
    expect(ends).toEqual([{ callId: 'look-1', result: 'completed', code: null }])
  })

  it('that names checks passes them', async () => {
    const { gate, telemetry } = await observed()
    await gate.run({ tool: 'scan', args: {} }, () => 'done')
    expect(telemetry.only('run').steps).toEqual(['rate', 'judge', 'check', 'consume', 'run', 'settle'])
  })

  it('that a person decides is held, decided and run', async () => {
    const world = await observed()
    const running = world.gate.run(JOT, () => 'done')
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    await running
    expect(world.telemetry.only('run').steps).toEqual([
      ...['rate', 'judge', 'preview', 'hold', 'decide', 'consume', 'run', 'settle'],
    ])
    expect(world.telemetry.only('decide')).toMatchObject({
      steps: ['decide'],
      ends: [{ callId: 'jot-1', result: 'approved' }],
    })
  })

  it('that is refused ends with its outcome and code', async () => {
    const { gate, telemetry } = await observed()
    await gate.run({ tool: 'wipe', args: {} }, () => 'done')
    expect(telemetry.only('run').ends).toMatchObject([{ result: 'denied', code: 'CS_DENIED' }])
  })

  it('that is malformed ends as refused', async () => {
    const { gate, telemetry } = await observed()
    await gate.run({ tool: 'look', args: { when: () => 1 } }, () => 'done')
    expect(telemetry.only('run')).toMatchObject({ judged: [], ends: [{ result: 'refused', code: 'CS_CALL_ARGS' }] })
  })

  it('that its caller runs is settled under the trace of its permit', async () => {
    const { gate, telemetry } = await observed()
    const permit = await gate.ask(LOOK)
    if (permit.kind !== 'permit') throw new Error('refused')
    await gate.settle(permit, 'completed')
    const { steps, ends } = telemetry.only('ask')
    expect(steps).toEqual(['rate', 'judge', 'consume', 'settle'])
    expect(ends.map(({ result }) => result)).toEqual(['permitted', 'completed'])
  })

  it('that was submitted keeps its trace for whoever collects it', async () => {
    const world = await observed()
    const { gate, telemetry } = world
    const ticket = await gate.submit({ ...JOT, traceparent: PARENT })
    const collecting = gate.wait(ticket)
    await world.decide(await onlyHeld(world), { kind: 'reject' })
    expect(await collecting).toMatchObject({ outcome: 'rejected' })
    expect(telemetry.only('submit')).toMatchObject({ parent: PARENT, ends: [{ result: 'submitted' }] })
    expect(telemetry.only('collect')).toMatchObject({ parent: PARENT, ends: [{ result: 'rejected' }] })
    expect(telemetry.only('decide')).toMatchObject({ parent: PARENT })
  })

  it('of a coding agent is observed until the agent reports its end', async () => {
    const { joinSession, ports, telemetry } = await observed()
    const { host } = joinSession('a'.repeat(32), ports.owners.self)
    await host.ask({ ...LOOK, traceparent: PARENT })
    await host.ended(LOOK, { outcome: 'completed' })
    expect(telemetry.only('ask')).toMatchObject({ parent: PARENT, ends: [{ result: 'permitted' }] })
    expect(telemetry.only('settle').ends).toMatchObject([{ callId: 'look-1', result: 'completed' }])
  })
})

describe('the traceparent of a call', () => {
  it('is in no digest, and an invalid one is ignored', async () => {
    const { gate, telemetry } = await observed()
    const digests = await Promise.all(
      [undefined, PARENT, 'not a trace'].map(async (traceparent, at) => {
        const permit = await gate.ask({
          ...LOOK,
          id: `look-${at}`,
          ...(traceparent === undefined ? {} : { traceparent }),
        })
        return permit.kind === 'permit' ? permit.callDigest : permit
      }),
    )
    expect(new Set(digests).size).toBe(1)
    expect(telemetry.traces.map(({ parent }) => parent)).toEqual([null, PARENT, null])
  })
})

describe('telemetry around calls', () => {
  it('hears what the store fails to do', async () => {
    let isBroken = false
    const { gate, telemetry } = await observed((ports) => ({
      ...ports,
      store: overlay(ports.store, {
        async commit(change, beside) {
          if (isBroken) throw new CountersignError('CS_STORE_WRITE', 'the disk is full; free some space')
          return ports.store.commit(change, beside)
        },
      }),
    }))
    isBroken = true
    expect(await gate.run(LOOK, () => 'done')).toMatchObject({ outcome: 'refused', code: 'CS_STORE_WRITE' })
    isBroken = false
    expect(telemetry.problems).toContainEqual({ kind: 'store-error', operation: 'commit', code: 'CS_STORE_WRITE' })
    expect(telemetry.only('run').ends).toMatchObject([{ result: 'refused', code: 'CS_STORE_WRITE' }])
  })

  it('hears of calls whose process is gone', async () => {
    const { another, held, desk, telemetry } = await observed()
    const gone = (ports: Ports): Ports => ({ ...ports, owners: { ...ports.owners, self: goneOwner(ports) } })
    const { gate } = await another({}, gone)
    void gate.run(JOT, () => 'done')
    await until('a row', async () => ((await desk.sweep()) > 0 ? true : undefined))
    expect(await held()).toEqual([])
    expect(telemetry.problems).toEqual([{ kind: 'owner-lost', callId: 'jot-1', outcome: 'withdrawn' }])
  })

  it('that throws, rejects or never answers changes no call', async () => {
    const fail = (): never => {
      throw new Error('broken')
    }
    const never = (() => new Promise(() => {})) as unknown as () => void
    const rejects = (() => Promise.reject(new Error('broken'))) as unknown as () => void
    const trace = (act: () => void): CallTrace => ({ adopt: act, enter: act, judged: act, end: act })
    const broken: readonly Telemetry[] = [
      { begin: fail, problem: fail },
      ...[fail, never, rejects].map((act) => ({ begin: () => trace(act), problem: act })),
      { begin: never as unknown as Telemetry['begin'], problem: never },
    ]
    for (const telemetry of broken) {
      const world: World = await openWorld({ policy: POLICY, wrapPorts: (ports) => ({ ...ports, telemetry }) })
      onTestFinished(() => world.close())
      expect(await world.gate.run({ ...LOOK, traceparent: PARENT }, () => 7)).toMatchObject({
        kind: 'completed',
        value: 7,
      })
      expect(await world.gate.run({ tool: 'wipe', args: {} }, () => 7)).toMatchObject({ outcome: 'denied' })
      const running = world.gate.run(JOT, () => 8)
      await world.decide(await onlyHeld(world), { kind: 'approve' })
      expect(await running).toMatchObject({ kind: 'completed', value: 8 })
    }
  })
})
