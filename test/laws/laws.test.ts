import { type Call, type Checker, openView, type Permit, signDecision } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { overlay } from '@countersign/testing/intercept'
import { settled } from '@countersign/testing/simulated-clock'
import { tamper } from '@countersign/testing/store/test-store'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

const SEND: Call = { tool: 'send_report', args: { to: 'board' }, description: { kind: 'send' } }

describe('L1: nothing runs without a permit for its exact digest, and a permit runs once', () => {
  it('refuses to settle a permit the gate did not issue', async () => {
    world = await openWorld()
    const forged = { kind: 'permit', callId: 'x', callDigest: 'y', args: {}, approvedBy: 'ana' } as unknown as Permit
    await expect(world.gate.settle(forged, 'completed')).rejects.toMatchObject({ code: 'CS_PERMIT_FORGED' })
  })

  it('settles a permit once', async () => {
    world = await openWorld({ policy: 'version: 1\ntools: { tidy_up: automatic }\n' })
    const permit = await world.gate.ask({ tool: 'tidy_up', args: {} })
    if (permit.kind !== 'permit') throw new Error('not permitted')
    await world.gate.settle(permit, 'completed')
    await expect(world.gate.settle(permit, 'completed')).rejects.toMatchObject({ code: 'CS_PERMIT_SPENT' })
  })

  it('runs a call id once, even if it is asked again', async () => {
    world = await openWorld({ policy: 'version: 1\ntools: { tidy_up: automatic }\n' })
    let ran = 0
    const again = () => world.gate.run({ id: 'same', tool: 'tidy_up', args: {} }, () => (ran += 1))
    const results = await Promise.all([again(), again(), again()])
    expect(ran).toBe(1)
    expect(results.filter((result) => result.kind === 'completed')).toHaveLength(1)
    expect(await again()).toMatchObject({ kind: 'refusal', code: 'CS_CALL_DUPLICATE' })
  })
})

describe('L3: a call that cannot be evaluated is held or refused', () => {
  const broken: { readonly [what: string]: Checker } = {
    throws: {
      name: 'c',
      check: () => {
        throw new Error('broken')
      },
    },
    'returns an invalid result': { name: 'c', check: () => ({ status: 'fine' }) as never },
    'returns nothing': { name: 'c', check: () => undefined as never },
    hangs: { name: 'c', check: () => new Promise(() => {}) },
  }
  for (const [what, checker] of Object.entries(broken)) {
    it(`refuses when a checker ${what}`, async () => {
      world = await openWorld({
        policy: 'version: 1\nrules:\n  - { id: free, tool: tidy_up, supervision: automatic, checks: [c] }\n',
        options: { checkers: [checker] },
      })
      let ran = 0
      const result = world.gate.run({ tool: 'tidy_up', args: {} }, () => (ran += 1))
      await world.clock.advance(10_000)
      expect(await result).toMatchObject({ kind: 'refusal', outcome: 'denied', code: 'CS_CHECK_BLOCKED' })
      expect(ran).toBe(0)
    })
  }

  it('refuses when a tool’s `describe` throws', async () => {
    world = await openWorld()
    const tool = world.gate.wrap(
      { name: 'tidy_up', run: () => 'ran' },
      {
        describe: () => {
          throw new Error('broken')
        },
      },
    )
    expect(await tool({})).toMatchObject({ kind: 'refusal', outcome: 'refused', code: 'CS_CALL_SHAPE' })
  })
})

describe('L5: the approver sees exactly what runs', () => {
  it('refuses to open a view whose text, preview or risk does not match its digest', async () => {
    world = await openWorld()
    void world.gate.run(SEND, () => 'sent')
    const view = await onlyHeld(world)
    expect(openView(view, world.ports.crypto).body.call.args).toEqual({ to: 'board' })
    const lies = [
      { ...view, request: view.request.replace('board', 'press') },
      { ...view, request: `${view.request} ` },
      { ...view, preview: { kind: 'json', value: { to: 'nobody' } } as const },
      { ...view, risk: { ...view.risk, level: 'none' } as const },
      { ...view, id: 'another' },
    ]
    for (const lie of lies)
      expect(() => openView(lie, world.ports.crypto)).toThrow(expect.objectContaining({ code: 'CS_DECISION_MISMATCH' }))
  })
})

describe('L6: a late, repeated, misdirected or forged decision has no effect and gets an error', () => {
  it('refuses a decision signed with an unenrolled key, and journals the attempt', async () => {
    world = await openWorld()
    const other = await openWorld()
    void world.gate.run(SEND, () => 'sent')
    const view = await onlyHeld(world)
    const forged = signDecision(openView(view, world.ports.crypto), { kind: 'approve' }, other.approver.signer, {
      surface: 'test',
      at: 1,
    })
    expect(await world.desk.decide(view.id, forged)).toMatchObject({
      accepted: false,
      message: expect.stringContaining('not an enrolled approver'),
    })
    const wrongName = { ...forged, approver: world.approver.signer.keyId }
    expect(await world.desk.decide(view.id, wrongName)).toMatchObject({
      accepted: false,
      message: expect.stringContaining('signature'),
    })
    expect(await world.held()).toHaveLength(1)
    expect((await world.entries()).filter((entry) => entry.kind === 'decision-refused')).toHaveLength(2)
    await other.close()
  })

  it('refuses a decision signed for another held call', async () => {
    world = await openWorld()
    void world.gate.run(SEND, () => 'sent')
    void world.gate.run({ ...SEND, args: { to: 'press' } }, () => 'sent')
    const [one, two] = await world.held()
    if (one === undefined || two === undefined) throw new Error('both should be held')
    const signed = signDecision(openView(one, world.ports.crypto), { kind: 'approve' }, world.approver.signer, {
      surface: 'test',
      at: 1,
    })
    expect(await world.desk.decide(two.id, { ...signed, held: two.id })).toMatchObject({ accepted: false })
    expect(await world.desk.decide(two.id, signed)).toMatchObject({ accepted: false })
  })

  it('refuses to approve a manual call without code and reason', async () => {
    world = await openWorld({ policy: 'version: 1\ntools: { send_report: manual }\n' })
    const result = world.gate.run(SEND, () => 'sent')
    const view = await onlyHeld(world)
    const { code } = openView(view, world.ports.crypto)
    expect(await world.decide(view, { kind: 'approve' })).toMatchObject({ accepted: false })
    expect(await world.decide(view, { kind: 'approve', code: 'aaaa', reason: 'x' })).toMatchObject({ accepted: false })
    expect(await world.decide(view, { kind: 'approve', code })).toMatchObject({ accepted: false })
    expect(await world.decide(view, { kind: 'approve', code, reason: 'agreed by phone' })).toMatchObject({
      accepted: true,
    })
    expect(await result).toMatchObject({ kind: 'completed' })
  })

  it('ignores a row set to approved in the database', async () => {
    world = await openWorld()
    let ran = 0
    const result = world.gate.run(SEND, () => (ran += 1))
    const view = await onlyHeld(world)
    const decision = JSON.stringify({
      held: view.id,
      requestDigest: view.requestDigest,
      decision: { kind: 'approve' },
      signature: 'AA==',
    })
    await tamper(world.home, `UPDATE call SET state = 'decided', decision = ? WHERE id = ?`, decision, view.id)
    await world.clock.advance(200)
    expect(ran).toBe(0)
    expect((await world.entries()).map((entry) => entry.kind)).toContain('decision-refused')
    await world.decide(await onlyHeld(world), { kind: 'reject' })
    expect(await result).toMatchObject({ outcome: 'rejected' })
  })
})

describe('L7: the intent is journaled before the effect, and an effect without an outcome is unknown', () => {
  it('journals the intent before the tool runs', async () => {
    world = await openWorld({ policy: 'version: 1\ntools: { tidy_up: automatic }\n' })
    let before: readonly string[] = []
    await world.gate.run({ id: 'c1', tool: 'tidy_up', args: {} }, async () => {
      before = (await world.ports.store.entriesOf('c1')).map((entry) => JSON.parse(entry.line).kind)
    })
    expect(before).toEqual(['judged', 'started'])
  })

  it('syncs the journal to disk before effects of medium risk or higher, not below', async () => {
    const durable: boolean[] = []
    world = await openWorld({
      policy: 'version: 1\ntools: { tidy_up: automatic }\n',
      wrapPorts: (ports) => ({
        ...ports,
        store: overlay(ports.store, {
          commit: (change) => {
            if (change.entries.some((entry) => entry.kind === 'started')) durable.push(change.durable)
            return ports.store.commit(change)
          },
        }),
      }),
    })
    await world.gate.run({ tool: 'read_file', args: { path: 'a' } }, () => 'read')
    await world.gate.run({ tool: 'tidy_up', args: {} }, () => 'done')
    expect(durable).toEqual([false, true])
  })

  it('reports a call as unknown if its process died after the intent, and never reruns it', async () => {
    let dead = false
    world = await openWorld({
      policy: 'version: 1\ntools: { tidy_up: automatic }\n',
      wrapPorts: (ports) => ({ ...ports, owners: { self: ports.owners.self, isAlive: () => !dead } }),
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    void world.gate.run({ id: 'c1', tool: 'tidy_up', args: {} }, () => promise)
    await settled()
    dead = true
    const later = await world.another()
    expect(await later.ports.store.call('c1')).toMatchObject({ state: 'closed', outcome: 'unknown' })
    let ran = 0
    expect(await later.gate.run({ id: 'c1', tool: 'tidy_up', args: {} }, () => (ran += 1))).toMatchObject({
      code: 'CS_CALL_DUPLICATE',
    })
    expect(ran).toBe(0)
    expect((await world.entries()).map((entry) => entry.kind)).toContain('unknown')
    resolve()
    await later.gate.close()
  })
})

describe('L8: an asker can never approve', () => {
  it('gives the gate no way to decide, and the desk no way to ask', async () => {
    world = await openWorld()
    expect(Object.keys(world.gate)).not.toEqual(expect.arrayContaining(['decide']))
    for (const verb of ['ask', 'run', 'submit', 'settle', 'wrap']) expect(Object.keys(world.desk)).not.toContain(verb)
    expect(Object.keys(world.gate).some((name) => /decide|grant|approve/.test(name))).toBe(false)
  })
})

describe('L9: checkers only raise supervision', () => {
  it('never lowers supervision, and shows findings before the decision', async () => {
    world = await openWorld({
      policy: 'version: 1\nrules:\n  - { id: ask, tool: send_report, supervision: confirm, checks: [calm] }\n',
      options: {
        checkers: [{ name: 'calm', check: () => ({ status: 'pass', message: 'all is well', raise: 'automatic' }) }],
      },
    })
    void world.gate.run(SEND, () => 'sent')
    const view = await onlyHeld(world)
    expect(view.findings).toMatchObject([{ checker: 'calm', status: 'pass' }])
  })

  it('turns a checker’s proposal into a new call that a person sees', async () => {
    let first = true
    world = await openWorld({
      policy:
        'version: 1\nrules:\n  - { id: free, tool: send_report, supervision: automatic, up_to: critical, checks: [fix] }\n',
      options: {
        checkers: [
          {
            name: 'fix',
            check: () => {
              if (!first) return { status: 'pass', message: 'good now' }
              first = false
              return { status: 'warn', message: 'shorter is better', propose: { to: 'team' } }
            },
          },
        ],
      },
    })
    const sent: unknown[] = []
    const result = world.gate.run(SEND, (args) => sent.push(args.to))
    const view = await onlyHeld(world)
    expect(JSON.parse(view.request).call.args).toEqual({ to: 'team' })
    await world.decide(view, { kind: 'approve' })
    await result
    expect(sent).toEqual(['team'])
  })
})

describe('L10: every resource has a limit, and exceeding it refuses the call', () => {
  it('refuses calls over the limit of held calls per session', async () => {
    world = await openWorld({ options: { bounds: { heldInSession: 3 } } })
    for (let n = 0; n < 3; n += 1) void world.gate.run({ ...SEND, args: { n } }, () => 'sent')
    await settled()
    expect(await world.gate.run({ ...SEND, args: { n: 3 } }, () => 'sent')).toMatchObject({
      kind: 'refusal',
      code: 'CS_QUEUE_FULL',
    })
    expect(await world.held()).toHaveLength(3)
  })

  it('refuses arguments that are too large or too deep', async () => {
    world = await openWorld({
      policy: 'version: 1\nauto_approve: ["*"]\n',
      options: { bounds: { argumentBytes: 1000 } },
    })
    expect(await world.gate.run({ tool: 'x', args: { text: 'a'.repeat(2000) } }, () => 'ran')).toMatchObject({
      code: 'CS_CALL_TOO_LARGE',
    })
    let deep: object = {}
    for (let level = 0; level < 70; level += 1) deep = { deep }
    expect(await world.gate.run({ tool: 'x', args: deep }, () => 'ran')).toMatchObject({ code: 'CS_CALL_TOO_DEEP' })
  })
})

describe('A33: clock changes extend nothing', () => {
  for (const jump of [-365, 365]) {
    it(`a wall clock that jumps ${jump} days extends no deadline and runs nothing`, async () => {
      world = await openWorld()
      let ran = 0
      const result = world.gate.run(SEND, () => (ran += 1))
      await onlyHeld(world)
      world.clock.jump(jump * 24 * 60 * 60_000)
      await world.clock.advance(5 * 60_000)
      expect(await result).toMatchObject({ outcome: 'expired' })
      expect(ran).toBe(0)
    })
  }
})
