import {
  type Call,
  type CheckAnswer,
  type Checker,
  openView,
  type PolicyFile,
  type Ports,
  signDecision,
} from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { overlay } from '@countersign/testing/intercept'
import { settled } from '@countersign/testing/simulated-clock'
import { afterEach, describe, expect, it } from 'vitest'
import { fate } from './fate.ts'

const POLICY = `
version: 1
rules:
  - { id: free, tool: free_thing, supervision: automatic }
  - { id: asked, tool: asked_thing, supervision: confirm }
  - { id: never, tool: never_thing, supervision: deny }
`

let world: World
afterEach(() => world.close())

/** Invalid responses. */
const GARBAGE: readonly unknown[] = [
  undefined,
  null,
  0,
  -1,
  Number.NaN,
  '',
  'yes',
  true,
  [],
  [null],
  {},
  { kind: 'fine' },
  () => 1,
]

type Port = 'store' | 'targets' | 'approvers' | 'policyFiles' | 'heads'

/** A world in which one method of one port returns a value of the test, once armed. */
async function openGarbled(port: Port, method: string): Promise<{ answer(value: unknown): void; heal(): void }> {
  let value: unknown
  let armed = false
  world = await openWorld({
    policy: POLICY,
    wrapPorts: (ports: Ports) => {
      const real = Reflect.get(ports[port], method) as (...args: unknown[]) => unknown
      const garbled = (...args: unknown[]): unknown => (armed ? value : real.apply(ports[port], args))
      return { ...ports, [port]: overlay(ports[port], { [method]: garbled }) }
    },
  })
  return {
    answer(next) {
      value = next
      armed = true
    },
    heal() {
      armed = false
    },
  }
}

/** Runs one automatic and one held call; returns what ran, and whether the held one was approved before. */
async function life(): Promise<{ free: number; asked: number; approved: boolean; kinds: readonly unknown[] }> {
  let free = 0
  let asked = 0
  let approved = false
  const paths = [`${world.workspace}/x`]
  const leaving = new AbortController()
  const first = world.gate.run(
    { tool: 'free_thing', args: {}, description: { kind: 'write', paths } },
    () => (free += 1),
    leaving.signal,
  )
  const second = world.gate.run(
    { tool: 'asked_thing', args: {}, description: { kind: 'write', paths } },
    () => (asked += 1),
    leaving.signal,
  )
  await settled(4)
  expect(asked).toBe(0)
  const views = await world.desk.list().catch(() => [])
  for (const view of Array.isArray(views) ? views : []) {
    const receipt = await world.decide(view, { kind: 'approve' }).catch(() => null)
    approved ||= receipt?.accepted === true
  }
  await settled(4)
  leaving.abort()
  return { free, asked, approved, kinds: [(await first)?.kind, (await second)?.kind] }
}

describe('A21: a port with an invalid response has failed', () => {
  const METHODS: readonly (readonly [Port, string])[] = [
    ['store', 'commit'],
    ['store', 'call'],
    ['store', 'calls'],
    ['store', 'grants'],
    ['store', 'head'],
    ['store', 'entries'],
    ['store', 'spans'],
    ['store', 'version'],
    ['targets', 'resolve'],
    ['targets', 'look'],
    ['targets', 'readText'],
    ['targets', 'readEntry'],
    ['targets', 'facts'],
    ['targets', 'list'],
    ['targets', 'tree'],
    ['approvers', 'find'],
    ['policyFiles', 'read'],
    ['policyFiles', 'version'],
    ['heads', 'keep'],
  ]
  it.each(METHODS)(
    '%s.%s: refused or held, never run without asking, never thrown',
    async (port, method) => {
      const { answer, heal } = await openGarbled(port, method)
      for (const garbage of GARBAGE) {
        for (const wrapped of method === 'version' ? [garbage] : [Promise.resolve(garbage), garbage]) {
          answer(wrapped)
          const { free, asked, approved, kinds } = await life()
          const what = `${port}.${method} answered ${String(JSON.stringify(garbage))}`
          for (const kind of kinds) expect(['completed', 'failed', 'refusal'], what).toContain(kind)
          expect(asked, what).toBeLessThanOrEqual(approved ? 1 : 0)
          if (method === 'commit') expect([free, asked], what).toEqual([0, 0])
          if (port === 'approvers') expect(approved, what).toBe(false)
        }
        heal()
        expect(await fate(world, { tool: 'never_thing', args: {} })).toBe('denied')
      }
      expect(await fate(world, { tool: 'asked_thing', args: {} })).toBe('held')
    },
    60_000,
  )

  it('a store with an unknown conflict, or a commit without a size, leads to no permit and no run', async () => {
    const { answer, heal } = await openGarbled('store', 'commit')
    const odd = [
      { kind: 'conflict' },
      { kind: 'conflict', what: 'weather' },
      { kind: 'conflict', what: null },
      { kind: 'committed' },
      { kind: 'committed', size: '7' },
      { kind: 'committed', size: 1.5 },
      { kind: 'COMMITTED', size: 7 },
    ]
    for (const given of odd) {
      answer(Promise.resolve(given))
      const asked = await world.gate.ask({ tool: 'free_thing', args: {} })
      expect(asked, JSON.stringify(given)).toMatchObject({
        kind: 'refusal',
        outcome: 'refused',
        code: 'CS_STORE_WRITE',
      })
      await expect(world.gate.submit({ tool: 'free_thing', args: {} })).rejects.toMatchObject({
        code: 'CS_STORE_WRITE',
      })
    }
    heal()
    expect(await fate(world, { tool: 'free_thing', args: {} })).toBe('ran')
  })

  it('does not count an approver other than the one requested', async () => {
    const mallory = await openWorld()
    const { answer } = await openGarbled('approvers', 'find')
    const leaving = new AbortController()
    const result = world.gate.run({ tool: 'asked_thing', args: {} }, () => 1, leaving.signal)
    const view = await onlyHeld(world)
    const forged = signDecision(openView(view, world.ports.crypto), { kind: 'approve' }, mallory.approver.signer, {
      surface: 'test',
      at: 1,
    })
    const { approver } = mallory.approver
    for (const found of [
      approver,
      { ...approver, id: world.approver.signer.keyId, publicKey: 'not a key' },
      { ...world.approver.approver, publicKey: '' },
      { publicKey: approver.publicKey },
    ]) {
      answer(Promise.resolve(found))
      const named = { ...forged, approver: world.approver.signer.keyId }
      const signed = { ...named, signature: mallory.approver.signer.sign('countersign/decision/v1\n') }
      expect(await world.desk.decide(view.id, named)).toMatchObject({ accepted: false })
      expect(await world.desk.decide(view.id, signed)).toMatchObject({ accepted: false })
    }
    leaving.abort()
    expect(await result).toMatchObject({ kind: 'refusal' })
    await mallory.close()
  })

  it('refuses rows of the wrong shape by name, and runs nothing from them', async () => {
    const { answer, heal } = await openGarbled('store', 'call')
    const ticket = await world.gate.submit({ tool: 'asked_thing', args: {} })
    const row = await world.ports.store.call(ticket.callId)
    for (const odd of [
      {},
      { ...row, state: 'approved' },
      { ...row, sealed: 'text' },
      { ...row, sealed: new Uint8Array(200) },
      { ...row, expiresAt: 'never' },
      { ...row, mode: 'submit', sealed: null },
      { ...row, decision: {} },
    ]) {
      answer(Promise.resolve(odd))
      const leaving = new AbortController()
      const waiting = world.gate.wait(ticket, leaving.signal)
      await settled()
      leaving.abort()
      expect((await waiting).kind, JSON.stringify(odd)).toBe('refusal')
    }
    heal()
    for (const nothing of [undefined, null, {}, { callId: 7 }, { callId: '\n' }]) {
      expect(await world.gate.wait(nothing as never)).toMatchObject({ kind: 'refusal' })
      await expect(world.gate.withdraw(nothing as never)).rejects.toThrow()
    }
  })

  it('policy files of the wrong shape loosen nothing', async () => {
    const { answer, heal } = await openGarbled('policyFiles', 'read')
    const open = 'version: 1\nauto_approve: ["*"]\n'
    const odd: readonly unknown[] = [
      [{ layer: 'user', name: 'x', text: undefined, trusted: true }],
      [{ layer: 'user', name: 7, text: 'version: 2', trusted: true }],
      [{ layer: 'root', name: 'x', text: open, trusted: false }],
      [{ name: 'x', text: open, trusted: false }],
      [{ layer: 'project', name: 'x', text: open, trusted: 'yes' }],
      [{ layer: 'managed', name: 'x', text: open, trusted: true }],
      [open],
      { 0: { layer: 'user', name: 'x', text: open } },
    ]
    const version = world.ports.policyFiles.version()
    for (const files of odd) {
      answer(Promise.resolve(files as readonly PolicyFile[]))
      world.file('.touch', version)
      const restarted = await world.another()
      const verdict = await restarted.gate.explain({ tool: 'asked_thing', args: {} })
      expect(['confirm', 'manual', 'deny'], JSON.stringify(files)).toContain(verdict.verdict.supervision)
      await restarted.gate.close()
    }
    heal()
  })
})

describe('A21: an invalid checker result is a failure that cannot be overridden', () => {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic
  let reads = 0
  const ANSWERS: { readonly [what: string]: () => unknown } = {
    'a status that changes when read again': () => ({
      get status() {
        return reads++ === 0 ? 'pass' : 'fine'
      },
      get message() {
        return reads++ > 5 ? 7 : 'x'
      },
      details: cyclic,
    }),
    'cyclic details': () => ({ status: 'pass', message: 'x', details: cyclic }),
    'details with a function': () => ({ status: 'pass', message: 'x', details: { f: () => 1 } }),
    '1 MB of details': () => ({ status: 'pass', message: 'x', details: 'y'.repeat(1e6) }),
    'a proposal that is not an object': () => ({ status: 'warn', message: 'x', propose: 'rm -rf ~' }),
    'a proposal with an accessor': () => ({
      status: 'warn',
      message: 'x',
      propose: {
        get to() {
          return 'y'
        },
      },
    }),
    'an unknown supervision to raise to': () => ({ status: 'pass', message: 'x', raise: 'allow' }),
    'a message that is not a string': () => ({ status: 'pass', message: { toString: () => 'x' } }),
    'throwing undefined': () => {
      throw undefined
    },
    'throwing an object without a prototype': () => {
      throw Object.create(null)
    },
    'throwing an error whose message throws': () => {
      throw Object.defineProperty(new Error('x'), 'message', {
        get: () => {
          throw new Error('y')
        },
      })
    },
    'a promise that rejects with a symbol': () => Promise.reject(Symbol('x')),
    'a string': () => 'pass',
    'an array': () => ['pass'],
  }
  for (const [what, check] of Object.entries(ANSWERS)) {
    it(what, async () => {
      const checker: Checker = { name: 'odd', check: () => check() as CheckAnswer }
      world = await openWorld({
        policy: 'version: 1\nrules:\n  - { id: free, tool: free_thing, supervision: automatic, checks: [odd] }\n',
        options: { checkers: [checker] },
      })
      expect(await fate(world, { tool: 'free_thing', args: {} })).toBe('denied')
      const entry = (await world.entries()).find(({ kind }) => kind === 'denied')
      expect(entry).toMatchObject({ code: 'CS_CHECK_BLOCKED' })
    })
  }

  it('a checker cannot change the call it checks', async () => {
    const caught: unknown[] = []
    const checker: Checker = {
      name: 'odd',
      check: ({ call, risk, places }) => {
        for (const change of [
          () => Object.assign(risk, { level: 'none' }),
          () => Object.assign(places, { workspace: '/' }),
          () => Object.assign(call, { args: {} }),
          () => Object.assign(call.args, { to: 'thief' }),
        ]) {
          try {
            change()
          } catch (error) {
            caught.push(error)
          }
        }
        return { status: 'pass', message: 'looks good' }
      },
    }
    world = await openWorld({
      policy: 'version: 1\nrules:\n  - { id: free, tool: free_thing, supervision: automatic, checks: [odd] }\n',
      options: { checkers: [checker] },
    })
    const call: Call = { tool: 'free_thing', args: { to: 'board' } }
    expect(await world.gate.run(call, (args) => args)).toMatchObject({ kind: 'completed', value: { to: 'board' } })
    expect(caught).toHaveLength(4)
    expect((await world.gate.explain({ tool: 'write_file', args: { path: '/etc/x', content: '' } })).risk).toBe(
      'critical',
    )
  })
})
