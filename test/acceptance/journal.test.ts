import { type CheckAnswer, verifyJournal } from '@countersign/core'
import { onlyHeld, openWorld, type World } from '@countersign/testing/gate/world'
import { overlay } from '@countersign/testing/intercept'
import { settled } from '@countersign/testing/simulated-clock'
import { openStoreAgain, tamper } from '@countersign/testing/store/test-store'
import { afterEach, describe, expect, it } from 'vitest'

let world: World
afterEach(() => world.close())

const POLICY = `
version: 1
rules:
  - { id: free, tool: free_thing, supervision: automatic }
  - { id: told, tool: told_thing, supervision: notify }
  - { id: never, tool: never_thing, supervision: deny }
  - { id: asked, tool: asked_thing, supervision: confirm }
`

const CHECKED = `${POLICY}
  - { id: checked, tool: checked_thing, supervision: automatic, checks: [always-fails] }
  - { id: overridden, tool: overridden_thing, supervision: automatic, checks: [may-be-overridden] }
`

const failing = (name: string, overridable: boolean) => ({
  name,
  check: (): CheckAnswer => ({ status: 'fail', message: 'not good', overridable }),
})

async function call(tool: string, effect: () => unknown = () => 'ok') {
  return world.gate.run({ tool, args: {}, description: { kind: 'other' } }, effect)
}

describe('the journal', () => {
  it('60: has an entry for every outcome', async () => {
    world = await openWorld({
      policy: CHECKED,
      options: { checkers: [failing('always-fails', false), failing('may-be-overridden', true)] },
    })
    await call('free_thing')
    await call('told_thing')
    await call('never_thing')
    await call('checked_thing')
    await call('free_thing', () => {
      throw new Error('the tool broke')
    })
    const approved = call('asked_thing')
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    await approved
    const rejected = call('asked_thing')
    await world.decide(await onlyHeld(world), { kind: 'reject' })
    await rejected
    const overridden = call('overridden_thing')
    await world.decide(await onlyHeld(world), { kind: 'approve' })
    await overridden
    const leaving = new AbortController()
    const withdrawn = world.gate.ask({ tool: 'asked_thing', args: {} }, leaving.signal)
    await settled()
    leaving.abort()
    await withdrawn
    const expired = call('asked_thing')
    await settled()
    await world.clock.advance(5 * 60_000)
    await expired
    await world.gate.run({ tool: 'free_thing', args: { callback: () => 1 } }, () => 'never')
    const kinds = new Set((await world.entries()).map((entry) => entry.kind))
    for (const kind of [
      'opened',
      'judged',
      'held',
      'notice',
      'decided',
      'started',
      'completed',
      'failed',
      'denied',
      'rejected',
      'expired',
      'withdrawn',
      'override',
      'refused',
    ]) {
      expect(kinds, kind).toContain(kind)
    }
  })

  it('61: if the journal cannot be written, nothing runs', async () => {
    let broken = false
    world = await openWorld({
      policy: POLICY,
      wrapPorts: (ports) => ({
        ...ports,
        store: overlay(ports.store, {
          commit: (change) => (broken ? Promise.reject(new Error('disk full')) : ports.store.commit(change)),
        }),
      }),
    })
    broken = true
    let ran = 0
    expect(await call('free_thing', () => (ran += 1))).toMatchObject({ kind: 'refusal', outcome: 'refused' })
    expect(ran).toBe(0)
  })

  it('61: an entry edited in the database is detected and named', async () => {
    world = await openWorld({ policy: POLICY })
    await call('free_thing')
    await call('never_thing')
    await world.gate.close()
    await tamper(
      world.home,
      `UPDATE entry SET line = replace(line, '"never_thing"', '"other_thing"') WHERE line LIKE '%"judged"%never_thing%'`,
    )
    const store = await openStoreAgain(world.home, world.ports.crypto)
    const verdict = await verifyJournal(store, {
      crypto: world.ports.crypto,
      publicKeys: [world.ports.signer.publicKey],
      kept: await world.ports.heads.kept(),
    })
    await store.close()
    expect(verdict).toMatchObject({ kind: 'damaged', damage: { kind: 'changed' } })
  })

  it('62: arguments that are not JSON are refused, and still journaled', async () => {
    world = await openWorld({ policy: POLICY })
    const cyclic: { self?: unknown } = {}
    cyclic.self = cyclic
    for (const args of [{ f: () => 1 }, cyclic, { n: 10n }, { n: Number.NaN }, { d: new Date(0) }]) {
      expect(await world.gate.run({ tool: 'free_thing', args }, () => 'never')).toMatchObject({
        outcome: 'refused',
        code: 'CS_CALL_ARGS',
      })
    }
    const refused = (await world.entries()).filter((entry) => entry.kind === 'refused')
    expect(refused).toHaveLength(5)
    expect(String(refused[0]?.message)).toContain('f')
  })

  it('63: secrets are redacted in the journal, and the digest of the arguments still matches', async () => {
    world = await openWorld({ policy: POLICY })
    const secret = `ghp_${'a1B2'.repeat(9)}`
    await world.gate.run({ tool: 'free_thing', args: { header: secret, password: 'correct horse' } }, () => 'ok')
    await world.gate.run({ tool: 'free_thing', args: { header: secret, password: 'correct horse' } }, () => 'ok')
    const lines = (await world.entries()).map((entry) => JSON.stringify(entry)).join('\n')
    expect(lines).not.toContain(secret)
    expect(lines).not.toContain('correct horse')
    const [first, second] = (await world.entries()).filter((entry) => entry.kind === 'judged')
    expect(first?.args).toEqual(second?.args)
    expect(first?.digest).toBe(second?.digest)
  })

  it('63: the full arguments of a held call are erased when it closes', async () => {
    world = await openWorld({ policy: POLICY })
    const held = world.gate.run({ tool: 'asked_thing', args: { note: 'a private note' } }, () => 'ok')
    const view = await onlyHeld(world)
    expect(view.request).toContain('a private note')
    await world.decide(view, { kind: 'reject' })
    await held
    expect((await world.ports.store.call(view.id))?.sealed).toBeNull()
  })

  it('64: the entries of a call include reasoning, proposed action, risk, response and final action', async () => {
    world = await openWorld({ policy: POLICY })
    const held = world.gate.run({ tool: 'asked_thing', args: { n: 1 }, said: 'I want to tidy up' }, () => 'ok')
    await world.decide(await onlyHeld(world), { kind: 'approve', reason: 'fine', edited: { n: 2 } })
    await held
    const of = (kind: string) => world.entries().then((all) => all.find((entry) => entry.kind === kind))
    expect(await of('judged')).toMatchObject({
      said: 'I want to tidy up',
      args: { n: 1 },
      rule: { id: 'asked' },
      risk: { level: expect.any(String) },
    })
    expect(await of('decided')).toMatchObject({
      by: 'ana',
      decision: 'approve',
      reason: 'fine',
      edited: { n: 2 },
      surface: 'test',
    })
    const started = await of('started')
    expect(started).toMatchObject({ edited: true })
    expect(started?.digest).not.toBe((await of('judged'))?.digest)
    expect(await of('completed')).toMatchObject({ digest: started?.digest })
  })
})
