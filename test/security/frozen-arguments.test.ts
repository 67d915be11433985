import { type Call, canonicalJson, type Json, openView, type Permit, signDecision } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { settled } from '@countersign/testing/simulated-clock'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { drain } from './fate.ts'

let world: World
beforeAll(async () => {
  world = await openWorld({
    policy: 'version: 1\nrules:\n  - { id: ask, tool: "*", supervision: confirm, floor: true }\n',
  })
})
afterEach(() => drain(world))
afterAll(() => world.close())

/** Asks, lets `meddle` change the original while the call is held and while it runs, approves; returns what was shown and what ran. */
async function shownAndRun(call: Call, meddle: () => void): Promise<{ shown: Json; ran: Json; same: boolean }> {
  const result = world.gate.ask(call)
  meddle()
  const view = await onlyHeld(world)
  meddle()
  const { body } = openView(view, world.ports.crypto)
  await world.decide(view, { kind: 'approve' })
  meddle()
  const permit = await result
  if (permit.kind !== 'permit') throw new Error(`not permitted: ${permit.message}`)
  await world.gate.settle(permit, 'completed')
  const started = (await world.entries()).find((entry) => entry.call === view.id && entry.kind === 'started')
  const digests = new Set([permit.callDigest, body.callDigest, started?.digest])
  return { shown: body.call.args, ran: permit.args, same: digests.size === 1 }
}

/** A proxy that returns `first` on the first read and `then` on later ones, for every kind of read. */
function turncoat(first: object, then: object): object {
  let reads = 0
  const which = (): object => (reads++ < 3 ? first : then)
  return new Proxy(first, {
    get: (_, key) => Reflect.get(which(), key),
    getOwnPropertyDescriptor: (_, key) => {
      const found = Reflect.getOwnPropertyDescriptor(which(), key)
      return found === undefined ? undefined : { ...found, configurable: true }
    },
    ownKeys: () => Reflect.ownKeys(which()),
  })
}

describe('A6: the call that runs is the one that was shown, even if the original changes', () => {
  it('objects, arrays and nested values changed, emptied, extended and retyped while held', async () => {
    const args: { to: string; list: unknown[]; deep: { er: { n: number } }; gone?: string } = {
      to: 'board',
      list: [1, [2]],
      deep: { er: { n: 1 } },
      gone: 'here',
    }
    const before = structuredClone(args)
    let turn = 0
    const { shown, ran, same } = await shownAndRun({ tool: 'send_report', args }, () => {
      turn += 1
      Object.defineProperty(args, 'to', {
        value: `press ${turn}`,
        configurable: true,
        writable: true,
        enumerable: true,
      })
      args.list.length = 0
      args.list.push(turn, args.list)
      args.deep.er.n += 1
      args.deep = { er: { n: 666 } }
      delete args.gone
      Object.setPrototypeOf(args, { to: 'inherited' })
      Object.defineProperty(args, 'to', { get: () => 'getter', configurable: true })
    })
    expect(shown).toEqual(before)
    expect(ran).toEqual(before)
    expect(same).toBe(true)
  })

  it('a proxy with changing values is shown and run with the same ones', async () => {
    for (let reads = 0; reads < 4; reads += 1) {
      const args = turncoat({ to: 'board', amount: 1 }, { to: 'thief', amount: 1_000_000 })
      const { shown, ran, same } = await shownAndRun({ tool: 'send_report', args }, () => {})
      expect(canonicalJson(ran)).toBe(canonicalJson(shown))
      expect(same).toBe(true)
    }
  })

  it('a call with changing fields is shown and run with the same ones', async () => {
    let reads = 0
    const call = {
      get tool() {
        return reads++ % 2 === 0 ? 'send_report' : 'send_money'
      },
      get args() {
        return { to: reads++ % 2 === 0 ? 'board' : 'thief' }
      },
      get cwd() {
        return reads++ % 2 === 0 ? world.workspace : '/'
      },
      get agent() {
        return { name: reads++ % 2 === 0 ? 'planner' : 'root' }
      },
    }
    const { shown, ran, same } = await shownAndRun(call, () => {})
    expect(ran).toEqual(shown)
    expect(same).toBe(true)
  })

  const REFUSED: { readonly [what: string]: () => unknown } = {
    'a getter': () => ({
      get to() {
        return 'x'
      },
    }),
    'a setter': () => ({ set to(_: string) {} }),
    'toJSON on the object': () => ({ to: 'board', toJSON: () => ({ to: 'thief' }) }),
    'a hidden toJSON': () => Object.defineProperty({ to: 'board' }, 'toJSON', { value: () => ({}), enumerable: false }),
    'an inherited value': () => Object.create({ to: 'board' }),
    'a class instance': () =>
      new (class {
        to = 'board'
      })(),
    'an array as the arguments': () => ['board'],
    'an array with a getter': () => ({ list: Object.defineProperty([1], 0, { get: () => 2, enumerable: true }) }),
    'an array subclass': () => ({ list: new (class extends Array {})() }),
    'an array with toJSON': () => ({ list: Object.assign([1], { toJSON: () => [2] }) }),
    'a symbol key': () => ({ [Symbol('to')]: 'board' }),
    valueOf: () => ({ n: Object(1) }),
    'a date': () => ({ at: new Date(0) }),
    'a map': () => ({ at: new Map() }),
    'a promise': () => ({ at: Promise.resolve(1) }),
    'a proxy whose traps throw': () =>
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no')
          },
        },
      ),
    'a revoked proxy': () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return proxy
    },
    'a revoked proxy inside': () => {
      const { proxy, revoke } = Proxy.revocable({}, {})
      revoke()
      return { inner: proxy }
    },
  }
  for (const [what, make] of Object.entries(REFUSED)) {
    it(`refuses ${what} without calling its code`, async () => {
      let ran = 0
      const result = await world.gate.run({ tool: 'send_report', args: make() }, () => (ran += 1))
      expect(result).toMatchObject({ kind: 'refusal', outcome: 'refused', code: 'CS_CALL_ARGS' })
      expect(ran).toBe(0)
    })
  }

  it('refuses a call whose id getter throws or changes its value', async () => {
    const throwing = {
      tool: 'x',
      args: { f: () => 1 },
      get id(): string {
        throw new Error('gotcha')
      },
    }
    expect(await world.gate.run(throwing, () => 1)).toMatchObject({ kind: 'refusal', outcome: 'refused' })
    let reads = 0
    const changing = {
      tool: 'x',
      args: { f: () => 1 },
      get id(): string {
        return reads++ === 0 ? 'one' : '../two\n'
      },
    }
    const refused = await world.gate.run(changing, () => 1)
    expect(refused).toMatchObject({ kind: 'refusal', callId: expect.stringMatching(/^[\w.:-]+$/) })
  })

  it('describe and preview get the frozen copy and cannot change it', async () => {
    const seen: unknown[] = []
    const meddling = (args: { to: string; list?: string[] }): void => {
      seen.push(args)
      expect(() => {
        args.to = 'thief'
      }).toThrow(TypeError)
      expect(() => args.list?.push('more')).toThrow(TypeError)
      expect(() => Object.setPrototypeOf(args, { evil: true })).toThrow(TypeError)
    }
    const ran: unknown[] = []
    const tool = world.gate.wrap<{ to: string; list?: string[] }, unknown>(
      { name: 'send_report', run: (args) => ran.push(args) },
      {
        describe: (args) => {
          meddling(args)
          return { kind: 'send' }
        },
        preview: (args) => {
          meddling(args)
          return { will: `send to ${args.to}` }
        },
      },
    )
    const args = { to: 'board', list: ['a'] }
    const result = tool(args)
    args.to = 'press'
    const view = await onlyHeld(world)
    expect(view.preview).toMatchObject({
      kind: 'own',
      parts: [{ kind: 'json', value: { will: 'send to board' } }],
    })
    expect(openView(view, world.ports.crypto).body.call.args).toEqual({ to: 'board', list: ['a'] })
    await world.decide(view, { kind: 'approve' })
    expect(await result).toMatchObject({ kind: 'completed' })
    expect(ran).toEqual([{ to: 'board', list: ['a'] }])
    expect(seen.length).toBeGreaterThanOrEqual(2)
  })

  it('a preview that returns a proxy, an accessor or toJSON counts as failed, and the arguments are shown', async () => {
    for (const answer of [
      {
        get will() {
          return 'x'
        },
      },
      { toJSON: () => 'harmless' },
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no')
          },
        },
      ),
    ]) {
      const result = world.gate.run(
        { tool: 'send_report', args: { to: 'board' }, preview: () => answer as unknown as Json },
        () => 1,
      )
      const view = await onlyHeld(world)
      expect(view.preview).toMatchObject({ kind: 'failed', value: { to: 'board' } })
      await world.decide(view, { kind: 'reject' })
      await result
    }
  })

  it('changing a description after asking changes neither the view nor its targets', async () => {
    const description = { kind: 'send' as const, paths: [`${world.workspace}/a`], url: 'https://good.example/' }
    const result = world.gate.ask({
      tool: 'send_report',
      args: {},
      description,
      confirmationMessage: 'sends one report',
    })
    const view = await onlyHeld(world)
    description.paths[0] = '/etc/shadow'
    description.url = 'https://evil.example/'
    expect(await onlyHeld(world)).toEqual(view)
    expect(view.confirmationMessage).toBe('sends one report')
    await world.decide(view, { kind: 'approve' })
    expect((await result).kind).toBe('permit')
  })

  it('edited arguments run with the tool, agent and folder that were shown, or are held again', async () => {
    const tool = { name: 'send_report' }
    const agent = { name: 'planner', parents: ['boss'] }
    const result = world.gate.ask({ tool, agent, args: { to: 'board' }, description: { kind: 'send' } })
    const view = await onlyHeld(world)
    tool.name = 'send_money'
    agent.parents.length = 0
    await world.decide(view, { kind: 'approve', edited: { to: 'team' } })
    await settled()
    const again = await onlyHeld(world)
    expect(again.requestDigest).not.toBe(view.requestDigest)
    await world.decide(again, { kind: 'reject' })
    expect(await result).toMatchObject({ kind: 'refusal', outcome: 'rejected' })
  })

  it('a listener sees every event and cannot change any', async () => {
    const attempts: string[] = []
    const forbidden = (what: string, change: () => void): void => {
      try {
        change()
        attempts.push(what)
      } catch {
        // expected
      }
    }
    const stop = world.gate.subscribe((event) => {
      if (event.kind === 'judged') {
        const { judgement } = event
        forbidden('supervision', () => Object.assign(judgement, { supervision: 'automatic' }))
        forbidden('verdict', () => Object.assign(judgement.verdict, { supervision: 'automatic', grant: 'x' }))
        forbidden('risk', () => Object.assign(judgement.risk, { level: 'none' }))
        forbidden('safety', () => Object.assign(judgement.safety, { blocked: false }))
        forbidden('named', () => (judgement.named as unknown[]).push({ given: 'x', cwd: '/', real: '/x' }))
        forbidden('args', () => Object.assign(judgement.call.args, { to: 'thief' }))
      }
      if (event.kind === 'held') {
        forbidden('offers', () => (event.view.offers as unknown[]).push({ scope: { kind: 'server', server: 'all' } }))
        forbidden('preview', () => Object.assign(event.view.preview, { kind: 'json', value: 'harmless' }))
        forbidden('view', () => Object.assign(event.view, { effect: 'Reads nothing' }))
      }
    })
    let ran = 0
    const result = world.gate.run(
      { tool: 'send_report', args: { to: 'board' }, description: { kind: 'send' } },
      () => (ran += 1),
    )
    const view = await onlyHeld(world)
    expect(attempts).toEqual([])
    expect(ran).toBe(0)
    await world.decide(view, { kind: 'reject' })
    await result
    stop()
  })

  it('a decision that changes after its signature was checked counts as signed', async () => {
    const result = world.gate.ask({ tool: 'send_report', args: { to: 'board' } })
    const view = await onlyHeld(world)
    const signed = signDecision(openView(view, world.ports.crypto), { kind: 'reject' }, world.approver.signer, {
      surface: 'test',
      at: 1,
    })
    const decision: { kind: 'approve' | 'reject'; edited?: { to: string } } = { kind: 'reject' }
    const deciding = world.desk.decide(view.id, { ...signed, decision })
    decision.kind = 'approve'
    decision.edited = { to: 'thief' }
    expect(await deciding).toMatchObject({ accepted: true, state: 'rejected' })
    expect(await result).toMatchObject({ kind: 'refusal', outcome: 'rejected' })
  })

  it('neither a permit nor its arguments can be changed', async () => {
    const result = world.gate.ask({ tool: 'send_report', args: { to: ['board'] } })
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    const permit = (await result) as Permit
    for (const change of [
      () => Object.assign(permit, { args: {} }),
      () => Object.assign(permit.args, { to: 1 }),
      () => (permit.args['to'] as unknown[]).push('x'),
    ]) {
      expect(change).toThrow(TypeError)
    }
    await world.gate.settle(permit, 'completed')
  })
})
